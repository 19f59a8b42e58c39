/**
 * Mutes within other transactions: the mutes of a relay, and the ends of mutes for a number of posts or until an
 * incident is over. Rows are locked in the order of their ids, after the relays.
 */
import type { Transaction } from 'kysely';
import { bulkStatement, kindOf } from '../database/bulk.js';
import { equal } from '../database/equal.js';
import type { MutesTable, Schema } from '../database/schema.js';
import type { Owner } from '../ownership.js';
import { type MutedPosts, type MuteFact, toMute } from './facts.js';

type Trx = Transaction<Schema>;

const lockRows = bulkStatement(
  { id: 'text' },
  ({ kind, input }) => `
    select mutes.id, mutes.remaining from ${input} cross join mutes
    where mutes.id = input.id and mutes.remaining is not null
    ${kind === 'postgres' ? 'order by mutes.id for no key update of mutes' : ''}`,
);

/**
 * Locks the mutes for a number of posts and reads them again, as other commits may count on the mute of a value. A mute
 * that ended meanwhile is left out.
 */
export async function lockCountingMutes<Row extends Pick<MutesTable, 'id' | 'remaining'>>(
  trx: Trx,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const countingRows = rows.filter(({ remaining }) => remaining !== null);
  if (countingRows.length === 0 || kindOf(trx) === 'sqlite') {
    return rows;
  }
  const locked = await lockRows<Pick<MutesTable, 'id' | 'remaining'>>(
    trx,
    countingRows.map(({ id }) => ({ id })),
  );
  const remainingById = new Map(locked.map(({ id, remaining }) => [id, remaining]));
  return rows.flatMap((row) =>
    row.remaining === null
      ? [row]
      : remainingById.has(row.id)
        ? [{ ...row, remaining: remainingById.get(row.id) ?? null }]
        : [],
  );
}

/** Mutes of the relay and its rules. */
export async function mutesOf(
  trx: Trx,
  { id, owner }: { readonly id: string; readonly owner: Owner },
  now: number,
): Promise<MuteFact[]> {
  const rows = await trx
    .selectFrom('mutes')
    .select(['id', 'channel', 'what', 'rule_id', 'remaining'])
    .where(equal({ ...owner, relay_id: id }))
    .where('what', 'in', ['relay', 'rule'])
    .where('until', '>', now)
    .execute();
  return (await lockCountingMutes(trx, rows)).map(toMute);
}

const countRows = bulkStatement(
  { id: 'text', posts: 'bigint' },
  ({ input }) => `update mutes set remaining = mutes.remaining - input.posts from ${input} where mutes.id = input.id`,
);

const deleteCounted = bulkStatement(
  { id: 'text' },
  ({ input }) => `delete from mutes where id in (select input.id from ${input}) and remaining <= 0`,
);

/** Counts the posts that mutes left out; a mute that has left out its last post ends. */
export async function countMuted(trx: Trx, muted: readonly MutedPosts[]): Promise<void> {
  await countRows(trx, muted);
  await deleteCounted(
    trx,
    muted.map(({ id }) => ({ id })),
  );
}

/** Ends the mutes that last until an incident is over; called in the transaction that ends the incident. */
export async function endMutesOf(trx: Trx, incidentId: string): Promise<void> {
  await trx.deleteFrom('mutes').where('incident_id', '=', incidentId).execute();
}
