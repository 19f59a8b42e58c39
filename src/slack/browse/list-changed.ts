/** Refreshes the list modal below a form after the form changed an item. */

import { openedModal } from '../bolt/routing/modal.js';
import type { Afterwards } from '../operations/index.js';
import { loadListView } from './load-list.js';
import { listChangedMetadata, listMetadata } from './metadata.js';

export const listChanged: Afterwards[string] = async (context, _done, carried) => {
  const { view, notes: list } = listChangedMetadata.read(carried);
  const fresh = await loadListView(context, listMetadata.read(list));
  // The modal may have been closed meanwhile.
  await openedModal({ client: context.client, deps: context.deps }, view).show(fresh);
};
