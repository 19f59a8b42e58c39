/** Erasure of what a relay counted, some rows at a time: a relay may have counted millions of barcodes. */
import type { Transaction } from 'kysely';
import type { Schema } from '../../database/schema.js';

export interface ErasedCounts {
  readonly relayId: string;
  /** All, if unset. */
  readonly subjects?: readonly string[];
}

/** Whether any were left. */
export async function eraseSomeCounts(
  trx: Transaction<Schema>,
  table: 'acceptances' | 'counters',
  { relayId, subjects }: ErasedCounts,
  limit: number,
): Promise<boolean> {
  const keys = trx
    .selectFrom(table)
    .select(['subject', 'key'])
    .where('relay_id', '=', relayId)
    .$if(subjects !== undefined, (query) => query.where('subject', 'in', subjects ?? []))
    .orderBy('subject')
    .orderBy('key')
    .limit(limit)
    .$asTuple('subject', 'key');
  const { numDeletedRows } = await trx
    .deleteFrom(table)
    .where('relay_id', '=', relayId)
    .where(({ eb, refTuple }) => eb(refTuple('subject', 'key'), 'in', keys))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
