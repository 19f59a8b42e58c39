/** The list feature: what the account holds, page by page, and the actions on each item. */

import type { Feature } from '../bolt/routing/feature.js';
import { listAction, listBack, listMenu, listMore, listNames, listPage } from './actions.js';
import { lists } from './list-commands.js';
import { listSearched } from './search-submit.js';

export { allowed, type ItemAction, itemActions, listActions, splitMenu } from './item-actions.js';
export { listTitles, moreView } from './list-view.js';
export { loadListView, namesOn } from './load-list.js';
export {
  itemActionMetadata,
  type ListKind,
  type ListMetadata,
  listChangedMetadata,
  listKinds,
  listMetadata,
  longestQuery,
  moreActions,
  moreMetadata,
  pageMetadata,
} from './metadata.js';
export { queryIn } from './query.js';

export const browse: Feature = {
  commands: { '/scandesk': [...lists] },
  listeners: [listMenu, listMore, listPage, listBack, listNames, listAction, listSearched],
};
