/**
 * Channel queues: ordering, locking and waking them. Whoever inserts a post wakes its queue in the same transaction.
 * The queue's row is the lock that makes the order of acceptance the order in the channel.
 */
import { sql, type Transaction } from 'kysely';
import type { Schema } from '../../../database/schema.js';
import type { Owner } from '../../../ownership.js';

export interface ChannelQueueKey extends Owner {
  readonly channel: string;
}

/** Always in this order, so that transactions cannot deadlock. */
export function sortedQueues(lanes: Iterable<ChannelQueueKey>): ChannelQueueKey[] {
  const byName = new Map<string, ChannelQueueKey>();
  for (const lane of lanes) {
    byName.set(queueName(lane), lane);
  }
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, lane]) => lane);
}

/** No id holds a colon. */
export function queueName(lane: ChannelQueueKey): string {
  return `${lane.installation}:${lane.team}:${lane.channel}`;
}

/** Makes the queues due at `now`, whatever they waited for. */
export async function wakeQueues(
  trx: Transaction<Schema>,
  lanes: Iterable<ChannelQueueKey>,
  now: number,
): Promise<void> {
  for (const { installation, team, channel } of sortedQueues(lanes)) {
    await trx
      .insertInto('lanes')
      .values({ installation, team, channel, next_at: now })
      .onConflict((conflict) =>
        conflict.columns(['installation', 'team', 'channel']).doUpdateSet({ next_at: sql<number>`excluded.next_at` }),
      )
      .execute();
  }
}
