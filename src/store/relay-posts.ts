/**
 * Owns what happens to a relay's posts when a person changes the relay: they move, wait anew, are set aside or replayed. Lanes
 * are changed before posts, as everywhere, so that no two transactions wait for each other.
 */
import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely';
import type { Owner } from '../ownership.js';
import { type LaneKey, wakeLanes } from './lanes.js';
import type { Schema } from './schema.js';

type Trx = Transaction<Schema>;
type Posts = ExpressionBuilder<Schema, 'outbox'>;

export interface RelayPosts {
  readonly owner: Owner;
  readonly relayId: string;
}

/** What still waits goes to another channel. A post in doubt may be in the old one, and is looked for there. */
export async function movePosts(trx: Trx, of: RelayPosts, channel: string, now: number): Promise<void> {
  await wakeLanes(trx, [{ ...of.owner, channel }], now);
  await trx
    .updateTable('outbox')
    .set({ channel })
    .where((eb) => open(eb, of))
    .where('state', '=', 'waiting')
    .execute();
}

/** Attempts are counted from here. */
export async function restartPosts(trx: Trx, of: RelayPosts, now: number): Promise<void> {
  const lanes = await trx
    .selectFrom('outbox')
    .select(['installation', 'team', 'channel'])
    .distinct()
    .where((eb) => open(eb, of))
    .execute();
  await wakeLanes(trx, lanes, now);
  await trx
    .updateTable('outbox')
    .set({ next_at: now, attempts: 0, first_attempt_at: null })
    .where((eb) => open(eb, of))
    .where('state', 'in', ['waiting', 'doubt'])
    .execute();
}

export async function setPostsAside(trx: Trx, of: RelayPosts, code: string, now: number): Promise<void> {
  await trx
    .updateTable('outbox')
    .set(setAside(code, now))
    .where((eb) => open(eb, of))
    .execute();
}

export async function setAllPostsAside(trx: Trx, installation: string, code: string, now: number): Promise<void> {
  await trx
    .updateTable('outbox')
    .set(setAside(code, now))
    .where('installation', '=', installation)
    .where('finished_at', 'is', null)
    .execute();
}

/** Those set aside wait again, in the relay's channel of today; how many. */
export async function replayPosts(trx: Trx, of: RelayPosts, channel: string, now: number): Promise<number> {
  const lanes: LaneKey[] = await trx
    .selectFrom('outbox')
    .select(['installation', 'team', 'channel'])
    .distinct()
    .where((eb) => aside(eb, of))
    .execute();
  await wakeLanes(trx, [...lanes, { ...of.owner, channel }], now);
  const again = { next_at: now, attempts: 0, first_attempt_at: null, finished_at: null };
  const fresh = await trx
    .updateTable('outbox')
    .set({ ...again, state: 'waiting', channel })
    .where((eb) => aside(eb, of))
    .where('doubt_at', 'is', null)
    .executeTakeFirst();
  // What may have gone out is looked for where it was sent to before anything is sent again.
  const doubtful = await trx
    .updateTable('outbox')
    .set({ ...again, state: 'doubt' })
    .where((eb) => aside(eb, of))
    .executeTakeFirst();
  return Number(fresh.numUpdatedRows + doubtful.numUpdatedRows);
}

/** Posts that wait and posts set aside, by relay. */
export async function countPosts(
  db: Kysely<Schema>,
  owner: Owner,
): Promise<ReadonlyMap<string, { waiting: number; aside: number }>> {
  const waiting = await db
    .selectFrom('outbox')
    .select((eb) => ['relay_id', eb.fn.countAll().as('posts')])
    .where('installation', '=', owner.installation)
    .where('team', '=', owner.team)
    .where('finished_at', 'is', null)
    .groupBy('relay_id')
    .execute();
  const asideRows = await db
    .selectFrom('outbox')
    .innerJoin('relays', 'relays.id', 'outbox.relay_id')
    .select((eb) => ['outbox.relay_id', eb.fn.countAll().as('posts')])
    .where('relays.installation', '=', owner.installation)
    .where('relays.team', '=', owner.team)
    .where('outbox.state', '=', sql.lit('aside'))
    .groupBy('outbox.relay_id')
    .execute();
  const counts = new Map<string, { waiting: number; aside: number }>();
  for (const row of waiting) {
    counts.set(row.relay_id, { waiting: Number(row.posts), aside: 0 });
  }
  for (const row of asideRows) {
    counts.set(row.relay_id, { waiting: counts.get(row.relay_id)?.waiting ?? 0, aside: Number(row.posts) });
  }
  return counts;
}

/** By owner first: that is how the index of open posts begins. */
function open(eb: Posts, { owner, relayId }: RelayPosts) {
  return eb.and([
    eb('installation', '=', owner.installation),
    eb('team', '=', owner.team),
    eb('relay_id', '=', relayId),
    eb('finished_at', 'is', null),
  ]);
}

/** The state as a literal: SQLite uses a partial index only where it sees the condition. */
function aside(eb: Posts, { owner, relayId }: RelayPosts) {
  return eb.and([
    eb('relay_id', '=', relayId),
    eb('state', '=', sql.lit('aside' as const)),
    eb('installation', '=', owner.installation),
    eb('team', '=', owner.team),
  ]);
}

/** What was being sent at that moment may have gone out: who replays it looks for it first. */
function setAside(code: string, now: number) {
  return {
    state: 'aside' as const,
    finished_at: now,
    last_code: code,
    doubt_at: sql<number | null>`case when state = 'sending' then coalesce(doubt_at, attempt_at) else doubt_at end`,
  };
}
