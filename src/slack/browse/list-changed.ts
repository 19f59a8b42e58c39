/** Refreshes the list modal below a form after the form changed an item. */

import { z } from 'zod';
import { decode, encode } from '../bolt/metadata.js';
import { openedModal } from '../bolt/routing/modal.js';
import type { Afterwards } from '../operations/index.js';
import { loadListView } from './load-list.js';
import { type ListMetadata, listMetadata } from './metadata.js';

/** The list's modal and its metadata, carried by the form. */
const below = z.object({ view: z.string(), notes: z.string() });

/** Undefined when a long search does not fit the form's metadata: the list then stays as drawn. */
export function afterChange(view: string, metadata: ListMetadata): string | undefined {
  const value = encode(below, { view, notes: encode(listMetadata, metadata) }, Number.POSITIVE_INFINITY);
  return value.length <= 1_000 ? value : undefined;
}

export const listChanged: Afterwards[string] = async (context, _done, carried) => {
  const { view, notes } = decode(below, carried, 'list.changed');
  const fresh = await loadListView(context, decode(listMetadata, notes, 'list.changed'));
  // The modal may have been closed meanwhile.
  await openedModal({ client: context.client, deps: context.deps }, view).show(fresh);
};
