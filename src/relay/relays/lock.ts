/** The locks of relays, which their commits, timers and incidents take first. */
import type { Selectable, Transaction } from 'kysely';
import { kindOf } from '../../database/bulk.js';
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

/** The relays of an installation, or of one team of it, removed ones too; locked in the order of their ids. */
export async function lockRelaysOf(
  trx: Transaction<Schema>,
  whose: { readonly installation: string; readonly team?: string },
): Promise<readonly string[]> {
  const rows = await trx
    .selectFrom('relays')
    .select('id')
    .where((eb) => eb.and(whose))
    .orderBy('id')
    .$if(kindOf(trx) === 'postgres', (query) => query.forNoKeyUpdate())
    .execute();
  return rows.map(({ id }) => id);
}
