/** How many are inside now, a line for each list. Pure. */
import { countOf } from '../../../english.js';
import { actions, type Block, button, context } from '../../block-kit/elements.js';
import { bold, richText } from '../../block-kit/text.js';
import { headLine } from '../../places/figures-lines.js';
import type { ListedPlaces } from '../../places/views.js';

const mostShown = 5;

export function placeBlocks(lists: readonly ListedPlaces[], mayManage: boolean): Block[] {
  if (lists.length === 0) {
    return [];
  }
  const left = lists.length - mostShown;
  return [
    richText(
      [bold('Inside now')],
      ...lists.slice(0, mostShown).map(({ list, figures }) => headLine(list.name, figures)),
    ),
    ...(left > 0 ? [context(`And ${countOf(left, 'more list')}. See them all with /scandesk inside.`)] : []),
    ...(mayManage ? [actions([button('Manage lists', 'places.lists')], 'home.places')] : []),
  ];
}
