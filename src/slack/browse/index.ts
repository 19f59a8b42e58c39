/** The list feature: what the account holds, page by page, and the actions on each item. */
import type { Feature } from '../bolt/routing/feature.js';
import { listAction, listBack, listMenu, listMore, listNames, listPage } from './actions.js';
import { lists } from './list-commands.js';
import { listEntered, listSearched } from './search-submit.js';

export const browse: Feature = {
  commands: { '/scandesk': [...lists] },
  listeners: [listMenu, listMore, listPage, listBack, listNames, listAction, listSearched, listEntered],
};
