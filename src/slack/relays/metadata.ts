/** Metadata of relay modals and buttons. It never holds a secret. */
import { z } from 'zod';
import { metadata } from '../bolt/ids.js';

/** Stands for any service that posts here; no id of the account looks like it. */
export const anyService = 'any';

/** Stands for a relay's services when there are several. */
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

/** `channel`: where the modal was opened, as in all modals. */
const origin = { channel: z.string().optional() };

export const relayListMetadata = metadata(z.object(origin));
/** `relay`: the one being changed, none for a new one. `seen`: the version that the form was opened on. */
const changing = { ...origin, relay: z.string().optional(), seen: z.string().optional() };
/** `notable`: unchanged if the form does not ask for it. */
export const relayFormMetadata = metadata(z.object({ ...changing, notable: notable.optional() }));
export const relaySharedMetadata = metadata(z.object({ ...changing, chosen }));
/** A button's value. */
export const relayButtonMetadata = metadata(z.object({ relay: z.string(), secret: z.string().optional() }), 2000);
export const relayPageMetadata = metadata(z.object({ page: z.number().int().min(0) }), 2000);
