/** Owns what follows a change that was made from a list: the list below the form is drawn again. */

import { windowOpened } from '../bolt/routing/modal.js';
import type { Afterwards } from '../operations/index.js';
import { listWindow } from './load-list.js';
import { listedNotes, listNotes } from './metadata.js';

export const listChanged: Afterwards[string] = async (context, _done, carried) => {
  const { view, notes } = listedNotes.read(carried);
  const fresh = await listWindow(context, listNotes.read(notes));
  // Somebody may have closed it meanwhile: then there is nothing to draw.
  await windowOpened({ client: context.client, deps: context.deps }, view).show(fresh);
};
