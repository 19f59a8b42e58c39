/**
 * Owns the posts on their way to a channel and who may send them. A lane (one channel) is claimed by one worker at a time
 * and its posts go out in the order of acceptance; whatever is about to be sent is recorded first. A worker that does not
 * say in time that it lives loses its lanes to the others.
 */
import { type ExpressionBuilder, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Owner } from '../ownership.js';
import type { LaneKey } from './lanes.js';
import type { LanesTable, OutboxState, OutboxTable, Schema } from './schema.js';
import type { Store } from './types.js';

export interface Lane extends LaneKey {
  /** When the last post left for this channel, whoever sent it. */
  readonly lastSentAt?: number;
}

export interface OutboxPost {
  readonly seq: number;
  readonly key: string;
  readonly owner: Owner;
  readonly channel: string;
  readonly relayId: string;
  readonly scanId: string;
  readonly state: OutboxState;
  /** How often it was sent; also tells one attempt from the next. */
  readonly attempts: number;
  readonly nextAt: number;
  readonly firstAttemptAt?: number;
  readonly attemptAt?: number;
  /** The first attempt of which nobody knows the end. */
  readonly doubtAt?: number;
}

export interface OutboxStore {
  /** Says that a worker lives; to be said again well before `until`. */
  stayAlive(worker: string, until: number): Promise<void>;
  leave(worker: string): Promise<void>;

  /** A look without a lock. */
  hasDue(now: number): Promise<boolean>;
  /** Claims lanes that are due and nobody's, the longest due first. */
  claim(worker: string, now: number, limit: number): Promise<readonly Lane[]>;
  /** Gives a lane back, due when its next post is. */
  release(worker: string, lane: LaneKey, now: number, intervalMs: number): Promise<void>;
  /** When the next lane is due that nobody holds. */
  nextDue(): Promise<number | undefined>;

  /** The lane's first open post of a relay that is not paused. */
  head(lane: LaneKey): Promise<OutboxPost | undefined>;
  /** Records that the post leaves now. Undefined: the lane is not the worker's any more, or the post is not to be sent. */
  begin(worker: string, post: OutboxPost, now: number): Promise<OutboxPost | undefined>;
  /** It is in the channel, whoever says so. */
  done(post: OutboxPost, ts: string, now: number): Promise<void>;
  /** The rest of these change nothing when somebody else has moved the post on since. */
  later(post: OutboxPost, state: 'waiting' | 'doubt', at: number, code: string): Promise<void>;
  aside(post: OutboxPost, code: string, now: number): Promise<void>;

  /** After a clock was set back: nothing is due later than now. */
  pullForward(now: number): Promise<void>;
  /** How many are still to be posted, everybody's. */
  countOpen(): Promise<number>;
}

export function createOutbox(store: Pick<Store, 'db' | 'kind'>): OutboxStore {
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
          // Whoever puts a post in now waits here, and then finds the lane as it was left.
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
            next_at: head ? Math.max(head.nextAt, now, (row.last_sent_at ?? -intervalMs) + intervalMs) : null,
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

    head: (lane) => headOf(db, lane),

    begin: (worker, post, now) =>
      db.transaction().execute(async (trx) => {
        const lane = isLane({ ...post.owner, channel: post.channel });
        const held = await trx
          .selectFrom('lanes')
          .select('channel')
          .where(lane)
          .where('claimed_by', '=', worker)
          .$if(kind === 'postgres', (query) => query.forUpdate())
          .executeTakeFirst();
        if (!held) {
          return undefined;
        }
        const sent = await trx
          .updateTable('outbox')
          .set((eb) => ({
            state: 'sending',
            attempts: post.attempts + 1,
            attempt_at: now,
            first_attempt_at: eb.fn.coalesce('first_attempt_at', sql<number>`${now}`),
          }))
          .where('seq', '=', post.seq)
          .where('channel', '=', post.channel)
          .where('attempts', '=', post.attempts)
          .where('state', '=', post.state)
          .returningAll()
          .executeTakeFirst();
        if (!sent) {
          return undefined;
        }
        await trx.updateTable('lanes').set({ last_sent_at: now }).where(lane).execute();
        return toPost(sent);
      }),

    async done(post, ts, now) {
      await db
        .updateTable('outbox')
        .set({ state: 'done', ts, finished_at: now, last_code: null })
        .where('seq', '=', post.seq)
        .where('state', '<>', 'done')
        .execute();
    },

    async later(post, state, nextAt, code) {
      await db
        .updateTable('outbox')
        .set((eb) => ({
          state,
          next_at: nextAt,
          last_code: code,
          ...(state === 'doubt' ? { doubt_at: eb.fn.coalesce('doubt_at', 'attempt_at') } : {}),
        }))
        .where('seq', '=', post.seq)
        .where('attempts', '=', post.attempts)
        .where('state', '=', post.state)
        .execute();
    },

    async aside(post, code, now) {
      await db
        .updateTable('outbox')
        .set({ state: 'aside', finished_at: now, last_code: code })
        .where('seq', '=', post.seq)
        .where('attempts', '=', post.attempts)
        .where('state', '=', post.state)
        .execute();
    },

    async pullForward(now) {
      await db.updateTable('lanes').set({ next_at: now }).where('next_at', '>', now).execute();
      await db
        .updateTable('outbox')
        .set({ next_at: now })
        .where('finished_at', 'is', null)
        .where('next_at', '>', now)
        .execute();
    },

    async countOpen() {
      const row = await db
        .selectFrom('outbox')
        .select((eb) => eb.fn.countAll().as('posts'))
        .where('finished_at', 'is', null)
        .executeTakeFirst();
      return Number(row?.posts ?? 0);
    },
  };
}

type LanesExpression = ExpressionBuilder<Schema, 'lanes'>;

function isLane({ installation, team, channel }: LaneKey) {
  return (eb: LanesExpression) => eb.and({ installation, team, channel });
}

/** Nobody claimed it, or whoever did has not been heard of. */
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

async function headOf(db: Kysely<Schema> | Transaction<Schema>, lane: LaneKey): Promise<OutboxPost | undefined> {
  const row = await db
    .selectFrom('outbox')
    .innerJoin('relays', 'relays.id', 'outbox.relay_id')
    .selectAll('outbox')
    .where('outbox.installation', '=', lane.installation)
    .where('outbox.team', '=', lane.team)
    .where('outbox.channel', '=', lane.channel)
    .where('outbox.finished_at', 'is', null)
    .where('relays.paused_at', 'is', null)
    .where('relays.removed_at', 'is', null)
    .orderBy('outbox.seq')
    .limit(1)
    .executeTakeFirst();
  return row && toPost(row);
}

function toLane(row: Selectable<LanesTable>): Lane {
  return {
    installation: row.installation,
    team: row.team,
    channel: row.channel,
    ...(row.last_sent_at === null ? {} : { lastSentAt: row.last_sent_at }),
  };
}

function toPost(row: Selectable<OutboxTable>): OutboxPost {
  return {
    seq: row.seq,
    key: row.key,
    owner: { installation: row.installation, team: row.team },
    channel: row.channel,
    relayId: row.relay_id,
    scanId: row.scan_id,
    state: row.state,
    attempts: row.attempts,
    nextAt: row.next_at,
    ...(row.first_attempt_at === null ? {} : { firstAttemptAt: row.first_attempt_at }),
    ...(row.attempt_at === null ? {} : { attemptAt: row.attempt_at }),
    ...(row.doubt_at === null ? {} : { doubtAt: row.doubt_at }),
  };
}
