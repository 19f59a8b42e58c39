/**
 * The row that mirrored values or scans belong to. It is deleted before them, and locked while they are stored, so that
 * a pass or an answer that is under way leaves nothing behind.
 */
import type { Transaction } from 'kysely';
import { kindOf } from '../../database/bulk.js';
import type { Schema } from '../../database/schema.js';
import { LeaseLost } from '../errors.js';

export type Parent = 'mirrors' | 'mirrored_databases';

/** @throws LeaseLost where it is deleted */
export async function lockParent(trx: Transaction<Schema>, table: Parent, id: number): Promise<void> {
  const row = await trx
    .selectFrom(table)
    .select('id')
    .where('id', '=', id)
    .$if(kindOf(trx) === 'postgres', (query) => query.forShare())
    .executeTakeFirst();
  if (!row) {
    throw new LeaseLost('what it belongs to is no longer mirrored');
  }
}
