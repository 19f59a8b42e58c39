/**
 * Stored lookups behind the buttons of cards. A button carries only the id, so sharing shows what was seen and costs no
 * API call. They live for a day: a morning's card may still be shared in the evening.
 */
import { z } from 'zod';
import { lookupShape } from '../../lookup/index.js';
import { recordStore } from '../../workspaces/record-store.js';
import { cardChangeShape } from './card/card-change.js';

/** Everything one card shows. `change`: the last edit from it. `connectedAt`: the connection that answered it. */
const cardShape = z
  .object({ lookup: lookupShape, change: cardChangeShape.optional(), connectedAt: z.number().optional() })
  .readonly();

export type Card = z.output<typeof cardShape>;

export const lookupRecords = recordStore('lookup', cardShape);
