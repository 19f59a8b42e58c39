/** The lock of relays whose scans are deleted, with what their values are counted by. */
import type { Transaction } from 'kysely';
import type { Schema } from '../../database/schema.js';
import { readJson } from '../../database/stored-json.js';
import type { StoreKind } from '../../database/types.js';
import { countingShape } from '../counters/counters.js';
import type { CountedRelay } from '../counters/keep-values-known.js';

type Trx = Transaction<Schema>;

/**
 * Locked as in a commit, so that no scan that is being deleted is counted or completed. Removed relays validate
 * nothing.
 */
export async function lockRelays(
  trx: Trx,
  kind: StoreKind,
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
    .$if(kind === 'postgres', (query) => query.forNoKeyUpdate())
    .execute();
  return new Map(
    rows.map(({ id, counting, settings }) => [id, { counting: readJson(countingShape, counting, 'relay'), settings }]),
  );
}
