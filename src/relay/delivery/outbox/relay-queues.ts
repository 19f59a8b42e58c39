/**
 * Wake-up of the queues that hold a relay's posts. A queue sleeps as long as its first post does, so a change that
 * removes or stops that post wakes the queue in the same transaction.
 */
import type { Transaction } from 'kysely';
import type { Schema } from '../../../database/schema.js';
import type { Owner } from '../../../ownership.js';
import { wakeQueues } from './channel-queues.js';

/**
 * Call it before the posts are changed, and once in a transaction: queues are locked in one order.
 * @param channels where the posts may go: their queues are woken too
 */
export async function wakeQueuesOf(
  trx: Transaction<Schema>,
  { owner, relayId }: { readonly owner: Owner; readonly relayId: string },
  now: number,
  channels: readonly string[] = [],
): Promise<void> {
  const { installation, team } = owner;
  const lanes = await trx
    .selectFrom('outbox')
    .select(['installation', 'team', 'channel'])
    .distinct()
    .where('installation', '=', installation)
    .where('team', '=', team)
    .where('relay_id', '=', relayId)
    .where('finished_at', 'is', null)
    .execute();
  if (lanes.length > 0) {
    await wakeQueues(trx, [...lanes, ...channels.map((channel) => ({ installation, team, channel }))], now);
  }
}
