/**
 * Stored lookups behind the buttons of cards. A button carries only the id, so sharing shows what was seen and costs no
 * API call. A workspace can read only its own.
 */
import { z } from 'zod';
import type { Clock, Random } from '../../clock.js';
import { lookupShape } from '../../lookup/index.js';
import { type Owner, ownerKey } from '../../ownership.js';
import type { Store } from '../../workspaces/types.js';
import { cardChangeShape } from './card/card-change.js';

/** A morning's card may still be shared in the evening; Slack drops it when its client is closed. */
const ttlMs = 24 * 60 * 60_000;

/** Everything one card shows. `change`: the last edit from it. `connectedAt`: the connection that answered it. */
const cardShape = z
  .object({ lookup: lookupShape, change: cardChangeShape.optional(), connectedAt: z.number().optional() })
  .readonly();

export type Card = z.output<typeof cardShape>;

export interface LookupRecords {
  save(owner: Owner, card: Card): Promise<string>;
  /** Undefined if it expired or belongs to another owner. */
  find(owner: Owner, id: string): Promise<Card | undefined>;
}

export function createLookupRecords(deps: {
  readonly store: Pick<Store, 'keyv'>;
  readonly random: Random;
  readonly clock: Clock;
}): LookupRecords {
  const records = deps.store.keyv<unknown>('lookup', { ttlMs: ttlMs });
  // The owner comes first: erasing an installation deletes by key prefix.
  const key = (owner: Owner, id: string) => `${ownerKey(owner)}:${id}`;
  return {
    async save(owner, card) {
      const id = deps.random.bytes(12).toString('base64url');
      await records.set(key(owner, id), card);
      return id;
    },
    async find(owner, id) {
      const found = cardShape.safeParse(await records.get(key(owner, id)));
      return found.success ? found.data : undefined;
    },
  };
}
