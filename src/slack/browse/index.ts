/**
 * The face of the lists: what the account has, page by page, and what can be done with each of it.
 */

export { allowed, beside, type Deed, deeds, inMenu } from './item-actions.js';
export { listTitles, moreView } from './list-view.js';
export { listWindow, namesOn } from './load-list.js';
export {
  deedNotes,
  type ListKind,
  type ListNotes,
  listedNotes,
  listKinds,
  listNotes,
  longestQuery,
  moreDeeds,
  moreNotes,
  pageNotes,
} from './metadata.js';
export { queryIn } from './query.js';
