/**
 * Leases on channel queues. One worker holds a queue at a time; without a heartbeat it loses its leases to the others.
 */
import type { ExpressionBuilder, Selectable } from 'kysely';
import type { LanesTable, Schema } from '../../../database/schema.js';
import type { Store } from '../../../workspaces/types.js';
import type { ChannelQueueKey } from './channel-queues.js';
import { headOf } from './next-post.js';

export interface ChannelQueue extends ChannelQueueKey {
  /** When the last post left for this channel, from any worker. */
  readonly lastSentAt?: number;
}

export interface ChannelLeases {
  /** Heartbeat of a worker; to be repeated well before `until`. */
  stayAlive(worker: string, until: number): Promise<void>;
  leave(worker: string): Promise<void>;

  /** Takes no lock. */
  hasDue(now: number): Promise<boolean>;
  /** Claims due queues without a lease, the longest due first. */
  claim(worker: string, now: number, limit: number): Promise<readonly ChannelQueue[]>;
  /** Releases a queue, due when its next post is. */
  release(worker: string, lane: ChannelQueueKey, now: number, intervalMs: number): Promise<void>;
  /** When the next queue without a lease is due. */
  nextDue(): Promise<number | undefined>;
  /**
   * Forgets workers that are long dead, or whose heartbeat lies too far ahead because of a wrong clock. One that is
   * alive sends its next heartbeat.
   */
  forgetWorkers(now: number): Promise<void>;
}

/** No lease is longer. */
const longestLeaseMs = 60_000;
/** No clock is slow enough to take a worker for dead that was alive this recently. */
const longDeadMs = 24 * 3_600_000;

export function createChannelLeases(store: Pick<Store, 'db' | 'kind'>): ChannelLeases {
  const { db, kind } = store;

  return {
    async stayAlive(worker, until) {
      await db
        .insertInto('workers')
        .values({ id: worker, alive_until: until })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ alive_until: until }))
        .execute();
    },

    async leave(worker) {
      await db.deleteFrom('workers').where('id', '=', worker).execute();
    },

    async hasDue(now) {
      const row = await db
        .selectFrom('lanes')
        .select('channel')
        .where('next_at', 'is not', null)
        .where('next_at', '<=', now)
        .where((eb) => nobodys(eb, now))
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    claim: (worker, now, limit) =>
      db.transaction().execute(async (trx) => {
        const due = await trx
          .selectFrom('lanes')
          .selectAll()
          .where('next_at', 'is not', null)
          .where('next_at', '<=', now)
          .where((eb) => nobodys(eb, now))
          .orderBy('next_at')
          .limit(limit)
          .$if(kind === 'postgres', (query) => query.forUpdate().skipLocked())
          .execute();
        for (const row of due) {
          await trx.updateTable('lanes').set({ claimed_by: worker }).where(isLane(row)).execute();
        }
        return due.map(toLane);
      }),

    release: (worker, lane, now, intervalMs) =>
      db.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom('lanes')
          .selectAll()
          .where(isLane(lane))
          .where('claimed_by', '=', worker)
          // An insert of a post waits here, and then sees the queue as it was released.
          .$if(kind === 'postgres', (query) => query.forUpdate())
          .executeTakeFirst();
        if (!row) {
          return;
        }
        const head = await headOf(trx, lane);
        await trx
          .updateTable('lanes')
          .set({
            claimed_by: null,
            next_at: head
              ? Math.max(head.next_at, now, Math.min(row.last_sent_at ?? -intervalMs, now) + intervalMs)
              : null,
          })
          .where(isLane(lane))
          .execute();
      }),

    async nextDue() {
      const row = await db
        .selectFrom('lanes')
        .select((eb) => eb.fn.min('next_at').as('at'))
        .where('next_at', 'is not', null)
        .where('claimed_by', 'is', null)
        .executeTakeFirst();
      return row?.at ?? undefined;
    },

    async forgetWorkers(now) {
      await db
        .deleteFrom('workers')
        .where((eb) => eb.or([eb('alive_until', '>', now + longestLeaseMs), eb('alive_until', '<', now - longDeadMs)]))
        .execute();
    },
  };
}

type LanesExpression = ExpressionBuilder<Schema, 'lanes'>;

export function isLane({ installation, team, channel }: ChannelQueueKey) {
  return (eb: LanesExpression) => eb.and({ installation, team, channel });
}

/** No lease, or one whose worker has no current heartbeat. */
function nobodys(eb: LanesExpression, now: number) {
  return eb.or([
    eb('claimed_by', 'is', null),
    eb.not(
      eb.exists(
        eb
          .selectFrom('workers')
          .select('workers.id')
          .whereRef('workers.id', '=', 'lanes.claimed_by')
          .where('workers.alive_until', '>', now),
      ),
    ),
  ]);
}

function toLane(row: Selectable<LanesTable>): ChannelQueue {
  return {
    installation: row.installation,
    team: row.team,
    channel: row.channel,
    ...(row.last_sent_at === null ? {} : { lastSentAt: row.last_sent_at }),
  };
}
