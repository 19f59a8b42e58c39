/**
 * Blocked channel queues: Slack takes no posts in the channel. Their posts wait in order; the first is tried now and then,
 * and one that gets through ends the block. The queue's row says when to try again, and whether people were notified.
 */
import type { ExpressionBuilder, Kysely, Selectable, Transaction } from 'kysely';
import { equal } from '../../database/equal.js';
import type { ChannelQueuesTable, Schema } from '../../database/schema.js';
import type { Owner } from '../../ownership.js';
import { applyEvent } from '../post-states.js';
import { type ChannelQueueKey, isQueue, lockLeased } from './channel-queues.js';
import { isHeld } from './held-sources.js';

export interface QueueBlock {
  /** The error code of Slack's refusal. */
  readonly code: string;
  readonly at: number;
  readonly retryAt: number;
}

export interface BlockedQueue extends ChannelQueueKey, QueueBlock {}

export const unblockedColumns = { blocked_at: null, blocked_code: null, blocked_tries: 0, retry_at: null } as const;

export function createQueueBlocks(db: Kysely<Schema>) {
  return {
    /**
     * Blocks the queue after an attempt that the channel refused; only the holder of its lease may. Posts that have
     * waited in a blocked queue since `giveUpBefore` become dead letters. Returns whether the block is new, and how
     * many posts became dead letters.
     * @param waitTimes how long to wait after the first attempt, the second and so on; the last wait repeats
     */
    block: (
      worker: string,
      queue: ChannelQueueKey,
      { code, now, giveUpBefore }: { readonly code: string; readonly now: number; readonly giveUpBefore: number },
      waitTimes: readonly number[],
    ): Promise<{ readonly isNew: boolean; readonly dead: number }> =>
      db.transaction().execute(async (trx) => {
        if (!(await lockLeased(trx, queue, worker))) {
          return { isNew: false, dead: 0 };
        }
        const { blocked_at: blockedAt, blocked_tries: tries } = await trx
          .selectFrom('channel_queues')
          .select(['blocked_at', 'blocked_tries'])
          .where(isQueue(queue))
          .executeTakeFirstOrThrow();
        const isNew = blockedAt === null;
        // A stored time in the future comes from a wrong clock.
        const since = Math.min(blockedAt ?? now, now);
        await trx
          .updateTable('channel_queues')
          .set({
            blocked_at: since,
            blocked_code: code,
            blocked_tries: tries + 1,
            retry_at: now + (waitTimes[Math.min(tries, waitTimes.length - 1)] ?? 0),
            ...(isNew ? { notified_at: null } : {}),
          })
          .where(isQueue(queue))
          .execute();
        const dead = since < giveUpBefore ? await giveUp(trx, queue, { code, before: giveUpBefore, now }) : 0;
        return { isNew, dead };
      }),

    /** Ends the block, after a post got through. */
    async unblock(queue: ChannelQueueKey): Promise<void> {
      await db.updateTable('channel_queues').set(unblockedColumns).where(isQueue(queue)).execute();
    },
  };
}

/** Makes posts that waited too long dead letters. The posts of a held source wait until it is released. */
async function giveUp(
  trx: Transaction<Schema>,
  { installation, team, channel }: ChannelQueueKey,
  { code, before, now }: { readonly code: string; readonly before: number; readonly now: number },
): Promise<number> {
  const dead = await applyEvent(trx, 'reject', now)
    .set({ last_code: code })
    .where(equal({ installation, team, channel, finished_at: null }))
    .where((eb) => eb(eb.fn.coalesce('first_attempt_at', 'next_at'), '<', before))
    .where((eb) => eb.not(isHeld(eb)))
    .executeTakeFirst();
  return Number(dead.numUpdatedRows);
}

/** The condition for queries of posts that the post's channel is blocked. */
export function isInBlockedQueue(eb: ExpressionBuilder<Schema, 'outbox'>) {
  return eb.exists(
    eb
      .selectFrom('channel_queues')
      .select('channel_queues.channel')
      .whereRef('channel_queues.installation', '=', 'outbox.installation')
      .whereRef('channel_queues.team', '=', 'outbox.team')
      .whereRef('channel_queues.channel', '=', 'outbox.channel')
      .where('channel_queues.blocked_at', 'is not', null),
  );
}

/** The owner's blocked queues, each with how many posts wait in it, by the source's id. */
export async function readBlocks(
  db: Kysely<Schema>,
  { installation, team }: Owner,
): Promise<readonly (BlockedQueue & { readonly waiting: ReadonlyMap<string, number> })[]> {
  const rows = await db
    .selectFrom('channel_queues')
    .selectAll()
    .where(equal({ installation, team }))
    .where('blocked_at', 'is not', null)
    .orderBy('channel')
    .execute();
  if (rows.length === 0) {
    return [];
  }
  const posts = await db
    .selectFrom('outbox')
    .select((eb) => ['channel', 'source_id', eb.fn.countAll().as('posts')])
    .where(equal({ installation, team, finished_at: null }))
    .groupBy(['channel', 'source_id'])
    .execute();
  return rows.map((row) => ({
    ...toBlocked(row),
    waiting: new Map(
      posts.filter(({ channel }) => channel === row.channel).map((one) => [one.source_id, Number(one.posts)]),
    ),
  }));
}

function toBlocked(row: Selectable<ChannelQueuesTable>): BlockedQueue {
  const { installation, team, channel, blocked_code: code, blocked_at: at, retry_at: retryAt } = row;
  return { installation, team, channel, code: code ?? '', at: at ?? 0, retryAt: retryAt ?? 0 };
}

/** Notices of blocked queues: people are notified once of each block. */
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
