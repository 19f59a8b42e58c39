/** The erasure of a relay's counts, some rows at a time: a relay may have counted millions of barcodes. */
import { sql, type Transaction } from 'kysely';
import type { Pace } from '../database/pace.js';
import type { Schema } from '../database/schema.js';

/** The columns that tell a relay's rows apart. */
const rowKeys = { admissions: 'subject, key, at, scan_id', counters: 'subject, key' } as const;

/** Erases all counts of a relay. */
export async function eraseCounts(pace: Pace, relayId: string): Promise<void> {
  for (const table of ['admissions', 'counters'] as const) {
    await pace.repeat((trx, limit) => eraseSomeCounts(trx, table, { relayId }, limit));
  }
}

/** Erases some counts, of all subjects or of these; returns whether it erased any, so that there may be more. */
export async function eraseSomeCounts(
  trx: Transaction<Schema>,
  table: keyof typeof rowKeys,
  { relayId, subjects }: { readonly relayId: string; readonly subjects?: readonly string[] },
  limit: number,
): Promise<boolean> {
  const from = sql`from ${sql.table(table)} where relay_id = ${relayId}`;
  const columns = sql.raw(rowKeys[table]);
  const ofSubjects = subjects === undefined ? sql`` : sql`and subject in (${sql.join(subjects)})`;
  const { numAffectedRows = 0n } = await sql`delete ${from} and (${columns}) in (
    select ${columns} ${from} ${ofSubjects} order by ${columns} limit ${limit})`.execute(trx);
  return numAffectedRows > 0n;
}

/** Erases counts by their whole primary key: a search among all that a relay counted would stall its scans. */
export async function eraseCountsOfKeys(
  trx: Transaction<Schema>,
  relayId: string,
  { subjects, keys }: { readonly subjects: readonly string[]; readonly keys: readonly string[] },
): Promise<void> {
  for (const table of ['admissions', 'counters'] as const) {
    await trx
      .deleteFrom(table)
      .where('relay_id', '=', relayId)
      .where('subject', 'in', subjects)
      .where('key', 'in', keys)
      .execute();
  }
}
