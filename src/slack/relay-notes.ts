/** Owns what the relay's windows and buttons carry from one step to the next. Never a secret. */
import { z } from 'zod';
import { notes } from './ids.js';

/** Stands for "whichever service posts here"; no id of the account looks like it. */
export const anyService = 'any';

const chosen = z.object({
  /** A service's id, or `anyService`. */
  service: z.string(),
  channel: z.string(),
  notable: z.enum(['all', 'invalid']),
});

/** What a person entered in the form of a relay. */
export type RelayChoice = z.output<typeof chosen>;

/** `channel`: where the window was opened from, as all windows say it. */
const origin = { channel: z.string().optional() };

export const relayListNotes = notes(z.object(origin));
/** `relay`: the one that is being changed; none for a new one. */
export const relayFormNotes = notes(z.object({ ...origin, relay: z.string().optional() }));
export const relaySharedNotes = notes(z.object({ ...origin, relay: z.string().optional(), chosen }));
/** A button's value. */
export const relayButtonNotes = notes(z.object({ relay: z.string(), secret: z.string().optional() }), 2000);
export const relayPageNotes = notes(z.object({ page: z.number().int().min(0) }), 2000);
