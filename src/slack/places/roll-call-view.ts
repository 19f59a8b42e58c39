/** Who is inside now, for admins and people whom the list names: a search and a page at a time. Pure. */
import { z } from 'zod';
import { chunksOf } from '../../database/chunks.js';
import type { InsidePlace } from '../../exports/index.js';
import type { PlaceList } from '../../places/index.js';
import { actions, button, context, cut, type ModalView, modalView } from '../block-kit/elements.js';
import { pageOf, turnButtons } from '../block-kit/page.js';
import { shortName } from '../block-kit/short-text.js';
import { barcodeElement, bold, momentAfter, richText } from '../block-kit/text.js';
import { encode, origin } from '../bolt/metadata.js';
import * as kinds from '../forms/kinds.js';
import { stillCounting } from '../lent/thing-lines.js';

export const rollCallTitle = 'Roll call';
export const rollCallMetadata = z.object({ ...origin, list: z.string(), text: z.string(), page: z.number() });
type Metadata = z.output<typeof rollCallMetadata>;

const pageSize = 50;
/** The most lines in one rich text: more are hard to read on a phone. */
const linesInBlock = 25;
const search = kinds.text({ max: 100 });
const searchFrame = {
  name: 'places.roll.search',
  action: 'places.roll.search',
  label: 'Part of a name or a barcode',
  optional: true,
  rerenders: true,
};

/** @param found the people inside who match the search, in their order */
export function rollCallView(
  list: PlaceList,
  {
    found,
    inside,
    isNamed,
    counting,
  }: {
    readonly found: readonly InsidePlace[];
    readonly inside: number;
    /** Whether the list names the person; otherwise they see it as an admin. */
    readonly isNamed: boolean;
    readonly counting: boolean;
  },
  metadata: Metadata,
): ModalView {
  const { text } = metadata;
  const shown = pageOf(found, metadata.page, pageSize);
  const lines = shown.rows.map(({ place: { holder, value, at }, gate }) => [
    ...(holder === undefined ? [] : [bold(shortName(holder)), ' ']),
    barcodeElement(cut(value, 110)),
    momentAfter(' since ', at),
    ...(gate === undefined ? [] : [`, ${shortName(gate)}`]),
  ]);
  const turns = [
    ...turnButtons(shown, ['places.roll.back', 'places.roll.more'], String),
    ...(inside > 0 ? [button('Export', 'export.roll_call')] : []),
  ];
  const parts = chunksOf(lines, linesInBlock).map((some) => richText(...some));
  const count = inside.toLocaleString('en-US');
  return modalView(
    rollCallTitle,
    [
      richText([bold(`${shortName(list.name)} · ${count} inside`), ...(counting ? [` · ${stillCounting}`] : [])]),
      ...[search.draw(searchFrame, text)].flat(),
      ...(found.length === 0 ? [context(inside === 0 ? 'Nobody is inside.' : 'Nobody inside matches this.')] : parts),
      ...(shown.range === undefined ? [] : [context(`${shown.range}.`)]),
      ...(turns.length > 0 ? [actions(turns, 'places.roll')] : []),
      context(
        `You see this because ${isNamed ? 'the list permits it' : 'workspace admins and owners may'}. Each look and each file is in the audit log.`,
      ),
    ],
    // The view has a submit button, which Slack wants where there is an input.
    {
      callback_id: 'places.roll',
      submit: 'Search',
      close: 'Close',
      private_metadata: encode(rollCallMetadata, { ...metadata, page: shown.page }),
    },
  );
}
