/**
 * Block, action and callback ids of the service setup modals, and their metadata. A webhook URL is in it only sealed.
 */
import { z } from 'zod';
import { metadata } from '../../bolt/ids.js';

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

/** Button metadata. `address`: the sealed path of a new webhook URL, so that no other one need be made. */
export const openMetadata = metadata(z.object({ relay: z.string(), address: z.string().optional() }), 2000);

/**
 * `named`: the mark of the URL that the form says will be replaced. `since`: `connectedAt` of the connection at that
 * time.
 */
export const serviceMetadata = metadata(
  z.object({
    channel: z.string().optional(),
    relay: z.string(),
    address: z.string().optional(),
    named: z.string().optional(),
    since: z.number().optional(),
  }),
);
export type ServiceMetadata = ReturnType<typeof serviceMetadata.read>;

/** Button metadata: which setup it concerns. */
export const setUpMetadata = metadata(z.object({ relay: z.string(), id: z.string() }), 2000);
/** Where a result modal was opened from. `address`: sealed, for another test scan. */
export const resultMetadata = metadata(
  z.object({ channel: z.string().optional(), relay: z.string(), address: z.string().optional(), service: z.string() }),
);
