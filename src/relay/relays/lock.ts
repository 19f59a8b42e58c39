/** The lock of a relay, which its commits, timers and incidents take first. */
import type { Selectable, Transaction } from 'kysely';
import type { RelaysTable, Schema } from '../../database/schema.js';
import type { StoreKind } from '../../database/types.js';

/** Locked until the transaction ends. Undefined if it was removed. */
export async function lockRelay(
  trx: Transaction<Schema>,
  kind: StoreKind,
  id: string,
): Promise<Selectable<RelaysTable> | undefined> {
  return await trx
    .selectFrom('relays')
    .selectAll()
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .$if(kind === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
}
