/**
 * Owns the ids by which Slack names the parts of the windows in which a service is set up for a relay, and what those windows
 * carry. A relay's address is among it only sealed: who reads the window learns nothing.
 */
import { z } from 'zod';
import { notes } from '../../bolt/ids.js';

export const serviceCallbacks = {
  form: 'relay.service.form',
  result: 'relay.service.result',
  pages: 'relay.pages',
} as const;

export const serviceActions = {
  open: 'relay.service.open',
  field: 'relay.service.field',
  redraw: 'relay.service.redraw',
  pick: 'relay.service.pick',
  test: 'relay.service.test',
  undo: 'relay.service.undo',
  pages: 'relay.pages.open',
  pagesNew: 'relay.pages.new',
  pagesEnd: 'relay.pages.end',
} as const;

/** A button's value. `address`: the sealed path of an address that was just made, so that no other one need be. */
export const openNotes = notes(z.object({ relay: z.string(), address: z.string().optional() }), 2000);

/** `named`: the mark of the URL that the form says will be replaced. `since`: `connectedAt` of the connection it was drawn under. */
export const serviceNotes = notes(
  z.object({
    channel: z.string().optional(),
    relay: z.string(),
    address: z.string().optional(),
    named: z.string().optional(),
    since: z.number().optional(),
  }),
);
export type ServiceNotes = ReturnType<typeof serviceNotes.read>;

/** A button's value: which set-up it speaks of. */
export const setUpNotes = notes(z.object({ relay: z.string(), id: z.string() }), 2000);
/** Where a result window was opened from. `address`: sealed, for another test scan. */
export const resultNotes = notes(
  z.object({ channel: z.string().optional(), relay: z.string(), address: z.string().optional(), service: z.string() }),
);
