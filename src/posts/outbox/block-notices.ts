/** Blocked channel queues that people were not told about yet: once for each block. */
import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.js';
import { type BlockedQueue, toBlocked } from './blocked-queues.js';
import { type ChannelQueueKey, isQueue } from './channel-queues.js';

export interface BlockNotices {
  due(): Promise<readonly BlockedQueue[]>;
  /** Undefined: it is no longer blocked. */
  find(queue: ChannelQueueKey): Promise<BlockedQueue | undefined>;
  sent(queue: BlockedQueue, at: number): Promise<void>;
}

export function createBlockNotices(db: Kysely<Schema>): BlockNotices {
  const blocked = () => db.selectFrom('channel_queues').selectAll().where('blocked_at', 'is not', null);

  return {
    async due() {
      return (await blocked().where('notified_at', 'is', null).execute()).map(toBlocked);
    },

    async find(queue) {
      const row = await blocked().where(isQueue(queue)).executeTakeFirst();
      return row && toBlocked(row);
    },

    async sent(queue, at) {
      await db
        .updateTable('channel_queues')
        .set({ notified_at: at })
        .where(isQueue(queue))
        .where('blocked_at', '=', queue.at)
        .execute();
    },
  };
}
