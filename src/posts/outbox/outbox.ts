/**
 * The outbox has the posts on their way to a channel, in order of acceptance. Only the worker that holds the channel's
 * lease sends, and each attempt is recorded before it is made.
 */
import { sql } from 'kysely';
import { equal } from '../../database/equal.js';
import type { Store } from '../../workspaces/types.js';
import { applyEvent, type PostEvent, postEvents } from '../post-states.js';
import { createQueueBlocks } from './blocked-queues.js';
import { type ChannelQueueKey, isQueue, knowMessage, lockLeased, wakeQueues } from './channel-queues.js';
import { createBacklogDigests } from './digest-backlog.js';
import { createChannelLeases } from './leases.js';
import { renderAll, updateSince } from './message-updates.js';
import { headOf } from './next-post.js';
import { type OutboxPost, toPost } from './post.js';
import { createThreadParents } from './thread-parents.js';

/** The events after which a post that was not delivered is handled again later. */
export type LaterEvent = Extract<PostEvent, 'fail' | 'lose' | 'defer' | 'absent'>;

export function createOutbox({ db }: Pick<Store, 'db'>) {
  return {
    ...createChannelLeases(db),
    ...createQueueBlocks(db),
    ...createThreadParents(db),
    ...createBacklogDigests(db),

    /** The queue's first open post of a source that is not held. */
    async head(queue: ChannelQueueKey): Promise<OutboxPost | undefined> {
      const row = await headOf(db, queue);
      return row && toPost(row);
    },

    /**
     * Records an attempt before it is made; later changes are made by updating the message. `threadTs`: the thread of a
     * reply. `channelNow`: the time by the channel's clock, if known. Returns undefined if the lease is lost, or the
     * post must not be sent.
     */
    begin: (
      worker: string,
      post: OutboxPost,
      now: number,
      { threadTs, channelNow = now }: { readonly threadTs?: string | undefined; readonly channelNow?: number } = {},
    ): Promise<OutboxPost | undefined> =>
      db.transaction().execute(async (trx) => {
        const queue = { ...post.owner, channel: post.channel };
        const leased = await lockLeased(trx, queue, worker);
        if (!leased) {
          return undefined;
        }
        const update = await applyEvent(trx, 'attempt', now)
          .set({
            attempts: post.attempts + 1,
            attempt_at: channelNow,
            first_attempt_at: firstAttemptAt(now),
            thread_ts: threadTs ?? null,
            // A search goes back to before the first attempt whose outcome is unknown.
            ...(post.unconfirmedAt === undefined ? { after_ts: leased.last_ts } : {}),
          })
          .where(equal({ seq: post.seq, channel: post.channel, attempts: post.attempts }))
          .returningAll()
          .executeTakeFirst();
        if (!update) {
          return undefined;
        }
        await renderAll(trx, post.seq);
        await trx.updateTable('channel_queues').set({ last_sent_at: now }).where(isQueue(queue)).execute();
        return toPost(update);
      }),

    /**
     * Records that the post is in its channel, or in `place` if it was sent to a person's id. Without `ts` the post
     * started a workflow.
     */
    deliver: (post: OutboxPost, ts: string | undefined, now: number, place: string = post.channel): Promise<void> =>
      db.transaction().execute(async (trx) => {
        if (ts !== undefined) {
          await knowMessage(trx, { ...post.owner, channel: post.channel }, ts);
        }
        const delivered = await applyEvent(trx, 'deliver', now)
          .set({ ts, last_code: null, channel: place })
          .where('seq', '=', post.seq)
          .executeTakeFirst();
        if (delivered.numUpdatedRows > 0n) {
          await updateSince(trx, post.seq, now);
        }
      }),

    /**
     * Schedules a post that was not delivered. This method and the two below change nothing if the post has changed
     * since it was read. `attemptAt`: the right time of the last attempt, if a wrong clock recorded it.
     * `firstAttemptAt`: that of the first attempt, where this one does not count.
     */
    async later(
      post: OutboxPost,
      event: LaterEvent,
      nextAt: number,
      code: string,
      {
        attemptAt,
        firstAttemptAt: first,
      }: { readonly attemptAt?: number | undefined; readonly firstAttemptAt?: number | null } = {},
    ): Promise<void> {
      await applyEvent(db, event, nextAt)
        .set((eb) => ({
          next_at: nextAt,
          last_code: code,
          attempt_at: attemptAt,
          first_attempt_at: first,
          ...(postEvents[event].to === 'unconfirmed'
            ? {
                unconfirmed_at: eb.fn.coalesce('unconfirmed_at', 'attempt_at'),
                // A search is no attempt, but the post's time limit has to start somewhere.
                first_attempt_at: firstAttemptAt(nextAt),
              }
            : {}),
        }))
        .where(isUnchanged(post))
        .execute();
    },

    async reject(post: OutboxPost, code: string, now: number): Promise<void> {
      await applyEvent(db, 'reject', now).set({ last_code: code }).where(isUnchanged(post)).execute();
    },

    /** Records that the post was not sent in its time, or that it had nothing to say any more. */
    async miss(post: OutboxPost, now: number): Promise<void> {
      await applyEvent(db, 'miss', now).where(isUnchanged(post)).execute();
    },

    /** Makes posts and updates that are due later than `latestAt` due now: at start, and after a clock was set back. */
    async rescheduleAfterClockStep(now: number, latestAt: number = now): Promise<void> {
      // Posts come first, then queues, leased ones too: a release at the same time may have read a post's old time.
      await db
        .updateTable('outbox')
        .set({ next_at: now })
        .where('finished_at', 'is', null)
        .where('next_at', '>', latestAt)
        .execute();
      const queues = await db
        .selectFrom('channel_queues')
        .select(['installation', 'team', 'channel'])
        .where((eb) => eb.or([eb('next_at', '>', latestAt), eb('claimed_by', 'is not', null)]))
        .execute();
      // At a start, no queue is found as a rule: then no transaction stops other writers.
      if (queues.length > 0) {
        await db.transaction().execute((trx) => wakeQueues(trx, queues, now, 'blocked'));
      }
      await db.updateTable('message_updates').set({ due_at: now }).where('due_at', '>', latestAt).execute();
    },

    /** The number of open posts of all owners. */
    async countOpen(): Promise<number> {
      const row = await db
        .selectFrom('outbox')
        .select((eb) => eb.fn.countAll().as('posts'))
        .where('finished_at', 'is', null)
        .executeTakeFirst();
      return Number(row?.posts ?? 0);
    },
  };
}

export type OutboxStore = ReturnType<typeof createOutbox>;

function isUnchanged({ seq, attempts, state }: OutboxPost) {
  return equal<'outbox'>({ seq, attempts, state });
}

/** The time of the first attempt: a stored one in the future comes from a wrong clock. */
function firstAttemptAt(now: number) {
  return sql<number>`case when first_attempt_at <= ${sql.lit(now)} then first_attempt_at else ${sql.lit(now)} end`;
}
