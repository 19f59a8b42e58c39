/** App Home's section with how many are inside now, a line for each list, and what is lent to the person. Pure. */
import { countOf } from '../../../english.js';
import { actions, type Block, button, context } from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import { bold, richText } from '../../block-kit/text.js';
import { sinceElements, stillCounting, thingElements } from '../../lent/thing-lines.js';
import type { LentThing } from '../../lent/things.js';
import { headLine } from '../../places/figures-lines.js';
import type { ListedPlaces } from '../../places/listed.js';

const mostShown = 5;

export function placeBlocks(lists: readonly ListedPlaces[], mayManage: boolean): Block[] {
  if (lists.length === 0) {
    return [];
  }
  const listsLeft = lists.length - mostShown;
  return [
    richText(
      [bold('Inside now')],
      ...lists.slice(0, mostShown).map(({ list, figures }) => headLine(list.name, figures)),
    ),
    ...(listsLeft > 0 ? [context(`And ${countOf(listsLeft, 'more list')}. See them all with /scandesk inside.`)] : []),
    ...(mayManage ? [actions([button('Manage lists', 'places.lists')], 'home.places')] : []),
  ];
}

/** @param counting whether scans are still being counted, so that things may be missing */
export function lentBlocks(mine: readonly LentThing[], counting = false): Block[] {
  const thingsLeft = mine.length - mostShown;
  return mine.length === 0 && !counting
    ? []
    : [
        richText(
          [bold('Lent to you'), ...(counting ? [` · ${stillCounting}`] : [])],
          ...mine
            .slice(0, mostShown)
            .map(({ list, place, asOf }) => [
              ...thingElements(place),
              ` · ${shortName(list.name)} ·`,
              ...sinceElements(place, asOf),
            ]),
        ),
        ...(thingsLeft > 0
          ? [context(`And ${countOf(thingsLeft, 'more thing')}. See them all with /scandesk out.`)]
          : []),
      ];
}
