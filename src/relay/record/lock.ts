/** Locks of relays, taken before all others by timers, incidents and deletions; commits have their own (`read.ts`). */
import type { Selectable, Transaction } from 'kysely';
import { countingShape } from '../../counters/counters.js';
import type { CountedRelay } from '../../counters/keep-values-known.js';
import { kindOf } from '../../database/bulk.js';
import { equal } from '../../database/equal.js';
import type { RelaysTable, Schema } from '../../database/schema.js';
import { readJson } from '../../database/stored-json.js';
import { type RelayRecord, toRelay } from './records.js';

/** Reads a relay and locks it until the transaction ends; undefined if it was removed. */
export async function lockRelay(trx: Transaction<Schema>, id: string): Promise<Selectable<RelaysTable> | undefined> {
  return await trx
    .selectFrom('relays')
    .selectAll()
    .where(equal({ id, removed_at: null }))
    .$if(kindOf(trx) === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
}

/** `lockRelay` for callers that know relays by their records. */
export async function lockRecord(trx: Transaction<Schema>, id: string): Promise<RelayRecord | undefined> {
  const row = await lockRelay(trx, id);
  return row && toRelay(row);
}

/** The relays of an installation, or of one of its teams, removed relays too; locks them in the order of their ids. */
export async function lockRelaysOf(
  trx: Transaction<Schema>,
  workspace: { readonly installation: string; readonly team?: string },
): Promise<readonly string[]> {
  const rows = await trx
    .selectFrom('relays')
    .select('id')
    .where(equal(workspace))
    .orderBy('id')
    .$if(kindOf(trx) === 'postgres', (query) => query.forNoKeyUpdate())
    .execute();
  return rows.map(({ id }) => id);
}

/** Locks relays as a commit does: no scan that is being deleted is counted or completed. Removed ones are left out. */
export async function lockRelays(
  trx: Transaction<Schema>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CountedRelay>> {
  if (ids.length === 0) {
    return new Map();
  }
  const rows = await trx
    .selectFrom('relays')
    .select(['id', 'counting', 'settings'])
    .where('id', 'in', ids)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .$if(kindOf(trx) === 'postgres', (query) => query.forNoKeyUpdate())
    .execute();
  return new Map(
    rows.map(({ id, counting, settings }) => [id, { counting: readJson(countingShape, counting, 'relay'), settings }]),
  );
}
