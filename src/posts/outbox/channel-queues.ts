/**
 * Channel queues: ordering, locking and waking them. An insert of a post wakes its queue in the same transaction. The
 * queue's row is the lock that makes the order of acceptance the order in the channel.
 */
import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import { bulkStatement, kindOf } from '../../database/bulk.js';
import { equal } from '../../database/equal.js';
import type { Schema } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';
import type { PostsOf } from './post.js';

export interface ChannelQueueKey extends Owner {
  readonly channel: string;
}

/** The queues in the order in which every transaction locks them, so that no two transactions deadlock. */
export function sortedQueues(queues: Iterable<ChannelQueueKey>): ChannelQueueKey[] {
  const byName = new Map<string, ChannelQueueKey>();
  for (const queue of queues) {
    byName.set(queueName(queue), queue);
  }
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, queue]) => queue);
}

/** The queue's name in maps: no id holds a colon. */
export function queueName(queue: ChannelQueueKey): string {
  return `${queue.installation}:${queue.team}:${queue.channel}`;
}

export function isQueue({ installation, team, channel }: ChannelQueueKey) {
  return (eb: ExpressionBuilder<Schema, 'channel_queues'>) => eb.and({ installation, team, channel });
}

/** Locks the queue if the worker holds its lease; undefined if it does not. `last_ts`: null before its first message. */
export async function lockLeased(
  trx: Transaction<Schema>,
  queue: ChannelQueueKey,
  worker: string,
): Promise<{ readonly last_ts: string | null } | undefined> {
  return await trx
    .selectFrom('channel_queues')
    .select('last_ts')
    .where(isQueue(queue))
    .where('claimed_by', '=', worker)
    .$if(kindOf(trx) === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();
}

/** Locks the queue and records that a message is in its channel: searches for later posts begin there. */
export async function knowMessage(trx: Transaction<Schema>, queue: ChannelQueueKey, ts: string): Promise<void> {
  await trx
    .updateTable('channel_queues')
    .set({ last_ts: sql<string>`case when last_ts > ${ts} then last_ts else ${ts} end` })
    .where(isQueue(queue))
    .execute();
}

/**
 * The queues to wake. `asleep`: those without a post to send; any other keeps the time at which its first post is due.
 * `all`: every queue. `blocked`: every queue, and blocked channels are tried at once, as when a person asks for it.
 */
export type Wake = keyof typeof wakings;

/** The statement that wakes queues. PostgreSQL locks a row in conflict whether or not it changes it. */
const waking = (change: string) =>
  bulkStatement(
    { installation: 'text', team: 'text', channel: 'text', at: 'bigint' },
    ({ input, inOrder }) => `
    insert into channel_queues (installation, team, channel, next_at)
    select installation, team, channel, at from ${input} where true ${inOrder}
    on conflict (installation, team, channel) do update set next_at = excluded.next_at${change}`,
  );

const wakings = {
  asleep: waking(' where channel_queues.next_at is null'),
  all: waking(''),
  blocked: waking(', retry_at = excluded.next_at'),
};

/** Locks the queues, in order, and makes those that `wake` selects due at `at`. */
export async function wakeQueues(
  trx: Transaction<Schema>,
  queues: Iterable<ChannelQueueKey>,
  at: number,
  wake: Wake = 'all',
): Promise<void> {
  await wakings[wake](
    trx,
    sortedQueues(queues).map(({ installation, team, channel }) => ({ installation, team, channel, at })),
  );
}

/**
 * Wakes the queues that hold a source's posts: a queue sleeps as long as its first post does, so a change that removes
 * or stops that post wakes it. Call it before the posts are changed, and once in a transaction: queues are locked in
 * order. `channels`: channels to which the posts may move; their queues are woken too.
 */
export async function wakeQueuesOf(
  trx: Transaction<Schema>,
  { owner, source }: PostsOf,
  now: number,
  { channels = [], which }: { readonly channels?: readonly string[]; readonly which?: Wake } = {},
): Promise<void> {
  const queues = await trx
    .selectFrom('outbox')
    .select(['installation', 'team', 'channel'])
    .distinct()
    .where(equal({ ...owner, source: source.kind, source_id: source.id, finished_at: null }))
    .execute();
  if (queues.length > 0) {
    await wakeQueues(trx, [...queues, ...channels.map((channel) => ({ ...owner, channel }))], now, which);
  }
}

/** The queues of an installation, or of one of its teams. */
export async function queuesOf(
  trx: Transaction<Schema>,
  scope: { readonly installation: string; readonly team?: string },
): Promise<readonly ChannelQueueKey[]> {
  return await trx
    .selectFrom('channel_queues')
    .select(['installation', 'team', 'channel'])
    .where(equal(scope))
    .execute();
}

/** Deletes the queues. The caller has deleted all their posts. */
export async function deleteQueues(trx: Transaction<Schema>, queues: Iterable<ChannelQueueKey>): Promise<void> {
  for (const queue of sortedQueues(queues)) {
    await trx.deleteFrom('channel_queues').where(isQueue(queue)).execute();
  }
}
