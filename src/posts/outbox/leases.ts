/** Leases on channel queues. One worker holds a queue at a time; without a heartbeat it loses its leases. */
import type { ExpressionBuilder, Kysely, Selectable } from 'kysely';
import { kindOf } from '../../database/bulk.js';
import { claimRows } from '../../database/claims/claim.js';
import { isDue } from '../../database/claims/due-rows.js';
import { present } from '../../database/present.js';
import type { ChannelQueuesTable, Schema } from '../../database/schema.js';
import { longestWaitMs } from '../delivery-times.js';
import { unblockedColumns } from './blocked-queues.js';
import { type ChannelQueueKey, isQueue } from './channel-queues.js';
import { headOf, isEmpty } from './next-post.js';

export interface ChannelQueue extends ChannelQueueKey {
  /** When the last post left for this channel, sent by any worker. */
  readonly lastSentAt?: number;
  /** When to try a blocked channel again. */
  readonly blockedUntil?: number;
}

/** The longest lease: a later heartbeat comes from a wrong clock. */
const longestLeaseMs = 60_000;
/** How long ago a worker's heartbeat must be for it to be surely dead, however slow a clock is. */
const longDeadMs = 24 * 3_600_000;

export function createChannelLeases(db: Kysely<Schema>) {
  return {
    /** Records the heartbeat of a worker; the next one has to come well before `until`. */
    async heartbeat(worker: string, until: number): Promise<void> {
      await db
        .insertInto('workers')
        .values({ id: worker, alive_until: until })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ alive_until: until }))
        .execute();
    },

    async removeWorker(worker: string): Promise<void> {
      await db.deleteFrom('workers').where('id', '=', worker).execute();
    },

    /** Whether a queue without a lease is due. Takes no lock. */
    async hasDue(now: number): Promise<boolean> {
      const row = await db
        .selectFrom('channel_queues')
        .select('channel')
        .where(isDue('next_at', now, longestWaitMs))
        .where((eb) => isFree(eb, now))
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Claims due queues without a lease, first the one that is due the longest. */
    claim: (worker: string, now: number, limit: number): Promise<readonly ChannelQueue[]> =>
      db.transaction().execute(async (trx) => {
        const due = await claimRows(trx, 'channel_queues', { claimed_by: worker }, (queues) =>
          queues
            .where(isDue('next_at', now, longestWaitMs))
            .where((eb) => isFree(eb, now))
            .orderBy('next_at')
            .limit(limit),
        );
        return due.map(toQueue);
      }),

    /** Releases a queue, and makes it due when its next post is. */
    release: (worker: string, queue: ChannelQueueKey, now: number, intervalMs: number): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom('channel_queues')
          .selectAll()
          .where(isQueue(queue))
          .where('claimed_by', '=', worker)
          // An insert of a post waits for this lock, and then sees the released queue.
          .$if(kindOf(trx) === 'postgres', (query) => query.forUpdate())
          .executeTakeFirst();
        if (!row) {
          return;
        }
        const headPost = await headOf(trx, queue);
        const paced = Math.min(row.last_sent_at ?? -intervalMs, now) + intervalMs;
        const isOver = row.blocked_at !== null && !headPost && (await isEmpty(trx, queue));
        await trx
          .updateTable('channel_queues')
          .set({
            claimed_by: null,
            next_at: headPost ? Math.max(headPost.next_at, now, paced, toQueue(row).blockedUntil ?? 0) : null,
            // The block ends if no post waits for the channel any more.
            ...(isOver ? unblockedColumns : {}),
          })
          .where(isQueue(queue))
          .execute();
      }),

    /** When the next queue without a lease is due. */
    async nextDue(): Promise<number | undefined> {
      const row = await db
        .selectFrom('channel_queues')
        .select((eb) => eb.fn.min('next_at').as('at'))
        .where('next_at', 'is not', null)
        .where('claimed_by', 'is', null)
        .executeTakeFirst();
      return row?.at ?? undefined;
    },

    /**
     * Forgets workers that are long dead, or whose heartbeat lies too far ahead because of a wrong clock. A forgotten
     * worker that is alive sends its next heartbeat.
     */
    async forgetWorkers(now: number): Promise<void> {
      await db
        .deleteFrom('workers')
        .where((eb) => eb.or([eb('alive_until', '>', now + longestLeaseMs), eb('alive_until', '<', now - longDeadMs)]))
        .execute();
    },
  };
}

/** The condition that the queue has no lease, or one whose worker has no current heartbeat. */
function isFree(eb: ExpressionBuilder<Schema, 'channel_queues'>, now: number) {
  return eb.or([
    eb('claimed_by', 'is', null),
    eb.not(
      eb.exists(
        eb
          .selectFrom('workers')
          .select('workers.id')
          .whereRef('workers.id', '=', 'channel_queues.claimed_by')
          .where('workers.alive_until', '>', now),
      ),
    ),
  ]);
}

function toQueue(row: Selectable<ChannelQueuesTable>): ChannelQueue {
  return {
    installation: row.installation,
    team: row.team,
    channel: row.channel,
    ...present({ lastSentAt: row.last_sent_at, blockedUntil: row.blocked_at === null ? null : (row.retry_at ?? 0) }),
  };
}
