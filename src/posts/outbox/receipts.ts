/**
 * Receipts of posts: Slack tells of a message by itself, to any instance, at any time and more than once. A receipt of
 * the post's current generation makes it delivered; any other changes nothing, and the lack of one says nothing.
 */
import type { Kysely } from 'kysely';
import { equal } from '../../database/equal.js';
import type { Schema } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';
import { applyEvent } from '../post-states.js';
import { knowMessage, wakeQueues } from './channel-queues.js';
import { updateSince } from './message-updates.js';

export interface Receipt {
  readonly owner: Owner;
  readonly channel: string;
  readonly key: string;
  readonly generation: number;
  readonly ts: string;
}

export function createReceipts(db: Kysely<Schema>) {
  return {
    /** Records a receipt. Returns whether the receipt was the first proof that the post is delivered. */
    async add({ owner, channel, key, generation, ts }: Receipt, now: number): Promise<boolean> {
      const identity = { ...owner, channel, key, generation };
      const post = await db.selectFrom('outbox').select(['seq', 'state']).where(equal(identity)).executeTakeFirst();
      if (!post || post.state === 'delivered') {
        return false;
      }
      return await db.transaction().execute(async (trx) => {
        const queue = { ...owner, channel };
        // The posts behind the delivered one may be sent now.
        await wakeQueues(trx, [queue], now);
        await knowMessage(trx, queue, ts);
        const delivered = await applyEvent(trx, 'deliver', now)
          .set({ ts, last_code: null })
          .where(equal(identity))
          .executeTakeFirst();
        if (delivered.numUpdatedRows > 0n) {
          await updateSince(trx, post.seq, now);
        }
        return delivered.numUpdatedRows > 0n;
      });
    },
  };
}

export type Receipts = ReturnType<typeof createReceipts>;
