/**
 * Owns lookups between the card and its buttons: kept on the server, under an id that the button carries, so that what is
 * shared is what was seen and costs no call. Refuses to show one workspace another's.
 */
import { z } from 'zod';
import type { Clock, Random } from '../../clock.js';
import { lookupShape } from '../../lookup/index.js';
import { type Owner, ownerKey } from '../../ownership.js';
import type { Store } from '../../workspaces/types.js';
import { cardChangeShape } from './card/card-change.js';

/** A card of this morning may still be shared in the evening; Slack itself forgets it when the window is closed. */
const keepMs = 24 * 60 * 60_000;

/** Everything one card shows. `change`: what was last done from it. `connectedAt`: of the connection that told it. */
const cardShape = z
  .object({ lookup: lookupShape, change: cardChangeShape.optional(), connectedAt: z.number().optional() })
  .readonly();

export type Card = z.output<typeof cardShape>;

export interface LookupRecords {
  keep(owner: Owner, card: Card): Promise<string>;
  /** Undefined when it was too long ago, or is not the owner's. */
  find(owner: Owner, id: string): Promise<Card | undefined>;
}

export function createLookupRecords(deps: {
  readonly store: Pick<Store, 'keyv'>;
  readonly random: Random;
  readonly clock: Clock;
}): LookupRecords {
  const kept = deps.store.keyv<unknown>('lookup', { ttlMs: keepMs });
  // The owner comes first: what belongs to an installation is erased by the beginning of its key.
  const key = (owner: Owner, id: string) => `${ownerKey(owner)}:${id}`;
  return {
    async keep(owner, card) {
      const id = deps.random.bytes(12).toString('base64url');
      await kept.set(key(owner, id), card);
      return id;
    },
    async find(owner, id) {
      const found = cardShape.safeParse(await kept.get(key(owner, id)));
      return found.success ? found.data : undefined;
    },
  };
}
