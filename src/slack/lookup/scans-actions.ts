/** Handlers for *More scans* and the paging buttons in its modal. */

import type { ActionContext, Handler } from '../bolt/routing/context.js';
import { windowOf } from '../bolt/routing/origin.js';
import { scansTitle, scansView } from './scans-view.js';
import { type Barcode, cardNotes, pageNotes } from './service.js';

async function view({ deps, asker }: ActionContext, barcode: Barcode, page: number) {
  const scans = await deps.lookups.scans(asker.owner, barcode, page);
  return scansView(scans, (other) => pageNotes.write({ ...barcode, page: other }));
}

const carried = (action: ActionContext['action']) => ('value' in action ? action.value : undefined);

export const lookupScans: Handler<ActionContext> = {
  who: 'everyone',
  opens: scansTitle,
  async run(context) {
    const { kept: _, ...barcode } = cardNotes.read(carried(context.action));
    await context.window.fill(scansTitle, () => view(context, barcode, 0));
  },
};

/** *Newer* and *Older* in that modal. */
export const lookupPage: Handler<ActionContext> = {
  who: 'everyone',
  opens: scansTitle,
  async run(context) {
    const { page, ...barcode } = pageNotes.read(carried(context.action));
    await windowOf(context).fill(scansTitle, () => view(context, barcode, page));
  },
};
