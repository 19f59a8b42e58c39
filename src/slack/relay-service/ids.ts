/**
 * Owns the ids by which Slack names the parts of the windows in which a service is set up for a relay, and what those windows
 * carry. A relay's address is among it only sealed: who reads the window learns nothing.
 */
import { z } from 'zod';
import { notes } from '../ids.js';

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
  users: 'relay.service.users',
  test: 'relay.service.test',
  undo: 'relay.service.undo',
  pages: 'relay.pages.open',
  pagesNew: 'relay.pages.new',
  pagesEnd: 'relay.pages.end',
} as const;

/** `address`: the sealed path of an address that was just made, so that no other one need be. */
export const openNotes = notes(z.object({ relay: z.string(), address: z.string().optional() }), 2000);
