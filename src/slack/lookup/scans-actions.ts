/** Handlers for *More scans* and the paging buttons in its modal. */

import type { ActionContext } from '../bolt/routing/context.js';
import { action } from '../bolt/routing/listeners.js';
import { modalOf } from '../bolt/routing/origin.js';
import { scansTitle, scansView } from './scans-view.js';
import { type Barcode, cardMetadata, scansPageMetadata } from './service.js';

async function view({ deps, actor }: ActionContext, barcode: Barcode, page: number) {
  const scans = await deps.lookups.scans(actor.owner, barcode, page);
  return scansView(scans, (other) => scansPageMetadata.write({ ...barcode, page: other }));
}

const carried = (action: ActionContext['action']) => ('value' in action ? action.value : undefined);

export const lookupScans = action('lookup.scans', {
  role: 'everyone',
  modalTitle: scansTitle,
  async run(context) {
    const { kept: _, ...barcode } = cardMetadata.read(carried(context.action));
    await context.modal.fill(scansTitle, () => view(context, barcode, 0));
  },
});

/** *Newer* and *Older* in that modal. */
export const lookupPage = action(['lookup.newer', 'lookup.older'], {
  role: 'everyone',
  modalTitle: scansTitle,
  async run(context) {
    const { page, ...barcode } = scansPageMetadata.read(carried(context.action));
    await modalOf(context).fill(scansTitle, () => view(context, barcode, page));
  },
});
