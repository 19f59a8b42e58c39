/** Owns *More scans*: a window over the card, one page at a time. */
import { z } from 'zod';
import { scansTitle, scansView } from '../../blocks/scans-view.js';
import type { ActionContext, Handler } from '../../context.js';
import { notes } from '../../ids.js';
import { cardNotes } from '../../lookup-room.js';

const pageNotes = notes(z.object({ value: z.string(), page: z.number().int().min(0) }), 2000);

async function view({ deps, asker }: ActionContext, value: string, page: number) {
  const scans = await deps.lookups.scans(asker.owner, value, page);
  return scansView(scans, (other) => pageNotes.write({ value, page: other }));
}

const carried = (action: ActionContext['action']) => ('value' in action ? action.value : undefined);

export const lookupScans: Handler<ActionContext> = {
  who: 'everyone',
  opens: scansTitle,
  async run(context) {
    const { value } = cardNotes.read(carried(context.action));
    await context.window.fill(scansTitle, () => view(context, value, 0));
  },
};

/** *Newer* and *Older* in that window. */
export const lookupPage: Handler<ActionContext> = {
  who: 'everyone',
  async run(context) {
    const { value, page } = pageNotes.read(carried(context.action));
    await (context.inside ?? context.window).fill(scansTitle, () => view(context, value, page));
  },
};
