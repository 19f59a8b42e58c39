/** Notices of blocked channel queues: people are notified once of each block. */
import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.js';
import { type BlockedQueue, toBlocked } from './blocked-queues.js';
import { type ChannelQueueKey, isQueue } from './channel-queues.js';

export function createBlockNotices(db: Kysely<Schema>) {
  const blockedQueues = () => db.selectFrom('channel_queues').selectAll().where('blocked_at', 'is not', null);

  return {
    async due(): Promise<readonly BlockedQueue[]> {
      return (await blockedQueues().where('notified_at', 'is', null).execute()).map(toBlocked);
    },

    /** The queue's block; undefined if the queue is no longer blocked. */
    async find(queue: ChannelQueueKey): Promise<BlockedQueue | undefined> {
      const row = await blockedQueues().where(isQueue(queue)).executeTakeFirst();
      return row && toBlocked(row);
    },

    async sent(queue: BlockedQueue, at: number): Promise<void> {
      await db
        .updateTable('channel_queues')
        .set({ notified_at: at })
        .where(isQueue(queue))
        .where('blocked_at', '=', queue.at)
        .execute();
    },
  };
}
