/** Owns *More scans*: a window over the card, one page at a time. */
import { scansTitle, scansView } from '../../blocks/scans-view.js';
import type { ActionContext, Handler } from '../../context.js';
import { type Barcode, cardNotes, pageNotes } from '../../lookup-room.js';
import { windowOf } from '../../origin.js';

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

/** *Newer* and *Older* in that window. */
export const lookupPage: Handler<ActionContext> = {
  who: 'everyone',
  opens: scansTitle,
  async run(context) {
    const { page, ...barcode } = pageNotes.read(carried(context.action));
    await windowOf(context).fill(scansTitle, () => view(context, barcode, page));
  },
};
