/**
 * Outbox of posts on their way to a channel, in order of acceptance. Only the worker that holds the channel's lease
 * sends, and each attempt is recorded before it is made.
 */
import { type Selectable, sql } from 'kysely';
import type { OutboxState, OutboxTable, PostKind } from '../../../database/schema.js';
import type { Owner } from '../../../ownership.js';
import type { Store } from '../../../workspaces/types.js';
import type { ChannelQueueKey } from './channel-queues.js';
import { type Backlog, behindIn, foldAll } from './digest-backlog.js';
import { type ChannelLeases, createChannelLeases, isLane } from './leases.js';
import { headOf } from './next-post.js';
import { type Cards, createCards } from './thread-parents.js';

export interface OutboxPost {
  readonly seq: number;
  readonly key: string;
  readonly owner: Owner;
  readonly channel: string;
  readonly relayId: string;
  readonly scanId: string;
  readonly state: OutboxState;
  /** Number of attempts; also tells one attempt from the next. */
  readonly attempts: number;
  /** Goes up with each replay; retries keep it. */
  readonly generation: number;
  readonly nextAt: number;
  readonly firstAttemptAt?: number;
  /** When it was last sent, by the channel's clock. */
  readonly attemptAt?: number;
  /** The first unconfirmed attempt, by the channel's clock. */
  readonly doubtAt?: number;
  /** Code of the last state change. */
  readonly lastCode?: string;
  readonly kind: PostKind;
  readonly ruleId?: string;
  /** JSON, read by `rules/detail.ts`. */
  readonly detail?: string;
  /** The thread parent it goes under. */
  readonly cardKey?: string;
  /** The thread it was sent to. */
  readonly threadTs?: string;
  readonly acknowledged?: { readonly by: string; readonly at: number };
}

export interface OutboxStore extends ChannelLeases, Cards {
  /** The queue's first open post of a relay that is not paused. */
  head(lane: ChannelQueueKey): Promise<OutboxPost | undefined>;
  /**
   * Records an attempt before it is made; later changes are made by updating the message. `threadTs`: as a reply.
   * `channelNow`: the time by the channel's clock, if known. Undefined: the lease is lost, or the post is not to be
   * sent.
   */
  begin(
    worker: string,
    post: OutboxPost,
    now: number,
    how?: { readonly threadTs?: string | undefined; readonly channelNow?: number },
  ): Promise<OutboxPost | undefined>;
  /** The queue's backlog: scans' posts never sent, at most `limit`, and when the first of them was accepted. */
  behind(lane: ChannelQueueKey, limit: number): Promise<{ readonly posts: number; readonly since: number }>;
  /**
   * Merges scans' posts that were never sent: one digest for each relay (and thread parent) with two or more of them,
   * at the queue's end. One transaction: each scan is in its own post or in one digest. Returns how many were merged.
   * @param detailOf the digest's detail
   */
  fold(worker: string, lane: ChannelQueueKey, now: number, detailOf: (backlog: Backlog) => string): Promise<number>;
  /** It is in the channel. */
  done(post: OutboxPost, ts: string, now: number): Promise<void>;
  /**
   * This and the next change nothing if the post has changed state since. `attemptAt`: when it was sent, if a wrong
   * clock recorded it.
   */
  later(post: OutboxPost, state: 'waiting' | 'doubt', at: number, code: string, attemptAt?: number): Promise<void>;
  aside(post: OutboxPost, code: string, now: number): Promise<void>;

  /** After a clock was set back: what is due later than `latest` is due now. `latest` defaults to now. */
  pullForward(now: number, latest?: number): Promise<void>;
  /** Open posts of all owners. */
  countOpen(): Promise<number>;
}

export function createOutbox(store: Pick<Store, 'db' | 'kind'>): OutboxStore {
  const { db, kind } = store;

  return {
    ...createChannelLeases(store),
    ...createCards(db),

    async head(lane) {
      const row = await headOf(db, lane);
      return row && toPost(row);
    },

    begin: (worker, post, now, { threadTs, channelNow = now } = {}) =>
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
            attempt_at: channelNow,
            first_attempt_at: eb.fn.coalesce('first_attempt_at', sql<number>`${now}`),
            thread_ts: threadTs ?? null,
            shown: eb.ref('revision'),
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
        .set({
          state: 'done',
          ts,
          finished_at: now,
          last_code: null,
          edit_at: sql<number | null>`case when revision > shown then ${sql.lit(now)} else null end`,
        })
        .where('seq', '=', post.seq)
        .where('state', '<>', 'done')
        .execute();
    },

    async later(post, state, nextAt, code, attemptAt) {
      await db
        .updateTable('outbox')
        .set((eb) => ({
          state,
          next_at: nextAt,
          last_code: code,
          ...(attemptAt === undefined ? {} : { attempt_at: attemptAt }),
          ...(state === 'doubt'
            ? {
                doubt_at: eb.fn.coalesce('doubt_at', 'attempt_at'),
                // A search is no attempt, but its time limit has to start somewhere.
                first_attempt_at: eb.fn.coalesce('first_attempt_at', sql<number>`${nextAt}`),
              }
            : {}),
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

    behind: (lane, limit) => behindIn(db, lane, limit),

    fold: (worker, lane, now, detailOf) =>
      db.transaction().execute(async (trx) => {
        const held = await trx
          .updateTable('lanes')
          .set((eb) => ({ claimed_by: eb.ref('claimed_by') }))
          .where(isLane(lane))
          .where('claimed_by', '=', worker)
          .executeTakeFirst();
        return held.numUpdatedRows === 0n ? 0 : await foldAll(trx, kind, lane, now, detailOf);
      }),

    async pullForward(now, latest = now) {
      // Posts first, then queues, leased ones too: a release in between goes by the post that its worker saw.
      await db
        .updateTable('outbox')
        .set({ next_at: now })
        .where('finished_at', 'is', null)
        .where('next_at', '>', latest)
        .execute();
      await db
        .updateTable('lanes')
        .set({ next_at: now })
        .where((eb) => eb.or([eb('next_at', '>', latest), eb('claimed_by', 'is not', null)]))
        .execute();
      await db.updateTable('outbox').set({ edit_at: now }).where('edit_at', '>', latest).execute();
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

export function toPost(row: Selectable<OutboxTable>): OutboxPost {
  return {
    seq: row.seq,
    key: row.key,
    owner: { installation: row.installation, team: row.team },
    channel: row.channel,
    relayId: row.relay_id,
    scanId: row.scan_id,
    state: row.state,
    attempts: row.attempts,
    generation: row.generation,
    nextAt: row.next_at,
    ...(row.first_attempt_at === null ? {} : { firstAttemptAt: row.first_attempt_at }),
    ...(row.attempt_at === null ? {} : { attemptAt: row.attempt_at }),
    ...(row.doubt_at === null ? {} : { doubtAt: row.doubt_at }),
    ...(row.last_code === null ? {} : { lastCode: row.last_code }),
    kind: row.kind,
    ...(row.rule_id === null ? {} : { ruleId: row.rule_id }),
    ...(row.detail === null ? {} : { detail: row.detail }),
    ...(row.card_key === null ? {} : { cardKey: row.card_key }),
    ...(row.thread_ts === null ? {} : { threadTs: row.thread_ts }),
    ...(row.ack_by === null ? {} : { acknowledged: { by: row.ack_by, at: row.ack_at ?? 0 } }),
  };
}
