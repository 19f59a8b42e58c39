/** Owns what the relay's windows and buttons carry from one step to the next. Never a secret. */
import { z } from 'zod';
import { notes } from '../bolt/ids.js';

/** Stands for "whichever service posts here"; no id of the account looks like it. */
export const anyService = 'any';

/** Stands for the services that a relay is for already, where they are more than one. */
export const severalServices = 'several';

const notable = z.enum(['all', 'invalid']);

const chosen = z.object({
  /** A service's id, `anyService` or `severalServices`. */
  service: z.string(),
  channel: z.string(),
  notable,
});

/** What a person entered in the form of a relay. */
export type RelayChoice = z.output<typeof chosen>;

/** `channel`: where the window was opened from, as all windows say it. */
const origin = { channel: z.string().optional() };

export const relayListNotes = notes(z.object(origin));
/** `relay`: the one that is being changed, none for a new one; `seen`: the version of it that the form was opened on. */
const changing = { ...origin, relay: z.string().optional(), seen: z.string().optional() };
/** `notable`: as it stays, where the form does not ask for it. */
export const relayFormNotes = notes(z.object({ ...changing, notable: notable.optional() }));
export const relaySharedNotes = notes(z.object({ ...changing, chosen }));
/** A button's value. */
export const relayButtonNotes = notes(z.object({ relay: z.string(), secret: z.string().optional() }), 2000);
export const relayPageNotes = notes(z.object({ page: z.number().int().min(0) }), 2000);
