/** Where a barcode is, by the workspace's lists, a line for each. Pure. */
import { type Block, cut } from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import { type LinePart, momentAfter, person, richText, textElement } from '../../block-kit/text.js';
import { sinceElements } from '../../lent/thing-lines.js';
import { isLentList } from '../../lent/things.js';
import type { BarcodePlace } from '../barcode-places.js';

export function placeBlocks(places: readonly BarcodePlace[], now: number): Block[] {
  return places.length === 0 ? [] : [richText(...places.map((one) => placeLine(one, now)))];
}

/** A place in words: "Main hall: inside since 19:02, Gate A"; "Tools: with Mara since Mon 9:12, due Fri". */
function placeLine({ list, place, gate, holder }: BarcodePlace, now: number): LinePart[] {
  const { inside, at, back } = place;
  const signedName = (sign: string) => textElement(`${sign} ${shortName(list.name)}: `);
  const gateElements = gate === undefined ? [] : [`, ${shortName(gate)}`];
  if (!isLentList(list)) {
    return [signedName(inside ? '🟢' : '⚪'), momentAfter(inside ? 'inside since ' : 'left ', at), ...gateElements];
  }
  if (back) {
    return [signedName('⚪'), 'marked as returned by ', person(back.by), momentAfter(', ', back.at)];
  }
  return inside
    ? [signedName('⚪'), momentAfter('back since ', at), ...gateElements]
    : [
        signedName('🔵'),
        holder === undefined ? 'out' : `with ${cut(shortName(holder), 100)}`,
        ...sinceElements(place, now),
      ];
}
