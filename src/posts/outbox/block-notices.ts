/** Blocked channel queues that people were not told about yet, and which instance tells them: once for each block. */
import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Schema } from '../../database/schema.js';
import { type BlockedQueue, toBlocked } from './blocked-queues.js';
import { type ChannelQueueKey, isQueue } from './channel-queues.js';

export interface BlockNotices {
  /** Blocked queues that nobody was told about yet. */
  due(now: number): Promise<readonly BlockedQueue[]>;
  /** True for exactly one caller; the claim expires at `until`. */
  claim(queue: ChannelQueueKey, now: number, until: number): Promise<boolean>;
  /** Undefined: it is no longer blocked. */
  find(queue: ChannelQueueKey): Promise<BlockedQueue | undefined>;
  sent(queue: ChannelQueueKey, until: number, at: number): Promise<void>;
  release(queue: ChannelQueueKey, until: number): Promise<void>;
}

/** No claim is longer: a longer one was made by a wrong clock. */
const longestClaimMs = 10 * 60_000;

export function createBlockNotices(db: Kysely<Schema>): BlockNotices {
  const claimed = (queue: ChannelQueueKey, until: number) =>
    db.updateTable('channel_queues').where(isQueue(queue)).where('notify_claimed_until', '=', until);

  return {
    async due(now) {
      const rows = await db
        .selectFrom('channel_queues')
        .selectAll()
        .where((eb) => isUntold(eb, now))
        .execute();
      return rows.map(toBlocked);
    },

    async claim(queue, now, until) {
      const { numUpdatedRows } = await db
        .updateTable('channel_queues')
        .set({ notify_claimed_until: until })
        .where(isQueue(queue))
        .where((eb) => isUntold(eb, now))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async find(key) {
      const row = await db
        .selectFrom('channel_queues')
        .selectAll()
        .where(isQueue(key))
        .where('blocked_at', 'is not', null)
        .executeTakeFirst();
      return row && toBlocked(row);
    },

    async sent(queue, until, at) {
      await claimed(queue, until).set({ notified_at: at, notify_claimed_until: null }).execute();
    },

    async release(queue, until) {
      await claimed(queue, until).set({ notify_claimed_until: null }).execute();
    },
  };
}

function isUntold(eb: ExpressionBuilder<Schema, 'channel_queues'>, now: number) {
  return eb.and([
    eb('blocked_at', 'is not', null),
    eb('notified_at', 'is', null),
    eb.or([
      eb('notify_claimed_until', 'is', null),
      eb('notify_claimed_until', '<=', now),
      eb('notify_claimed_until', '>', now + longestClaimMs),
    ]),
  ]);
}
