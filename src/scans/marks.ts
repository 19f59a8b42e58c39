/**
 * Marks of barcodes whose scans changed, one for each list of the owner, written in the transaction that changes the
 * scans. Ids are made before commits end, so no reader may go by them: whoever folds a list deletes what it has folded.
 */
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { bulkStatement } from '../database/bulk.js';
import type { Schema } from '../database/schema.js';

const ofOwner = (table: string) =>
  `join place_lists on place_lists.installation = ${table}.installation and place_lists.team = ${table}.team`;

/** Marks the barcodes of scans that a relay received, or completed. */
export const markReceived = bulkStatement(
  { relay_id: 'text', key: 'text' },
  ({ input }) => `
    insert into place_marks (list_id, key) select place_lists.id, input.key from ${input}
    join relays on relays.id = input.relay_id ${ofOwner('relays')}`,
);

/** Marks scans of the account that are new or differ from the stored ones, under the keys of both. */
const markDiffering = bulkStatement(
  { connection: 'bigint', scan_id: 'text', key: 'text', modified_at: 'bigint', record: 'text' },
  ({ input }) => `
    insert into place_marks (list_id, key) select place_lists.id, input.key from ${input}
      join mirrors on mirrors.id = input.connection ${ofOwner('mirrors')}
      where not exists (select 1 from account_scans as held where held.connection = input.connection
        and held.scan_id = input.scan_id and (held.record = input.record or held.modified_at > input.modified_at))
    union all select place_lists.id, held.key from ${input}
      join account_scans as held on held.connection = input.connection and held.scan_id = input.scan_id
      join mirrors on mirrors.id = input.connection ${ofOwner('mirrors')}
      where held.key <> input.key and held.modified_at <= input.modified_at`,
);

/** Marks the barcodes of the account's scans; call it before their rows are stored. */
export async function markRecorded(
  trx: Transaction<Schema>,
  connection: number,
  rows: Parameters<typeof markDiffering>[1],
): Promise<void> {
  const isRead = await trx
    .selectFrom('mirrors')
    .innerJoin('place_lists', (join) =>
      join
        .onRef('place_lists.installation', '=', 'mirrors.installation')
        .onRef('place_lists.team', '=', 'mirrors.team'),
    )
    .select('mirrors.id')
    .where('mirrors.id', '=', connection)
    .limit(1)
    .executeTakeFirst();
  if (isRead) {
    await markDiffering(trx, rows);
  }
}

/** Marks the barcodes of scans that are about to be deleted, since the account has them no more. */
export async function markDeleted(db: Kysely<Schema>, connection: number, where: RawBuilder<unknown>): Promise<void> {
  await sql`insert into place_marks (list_id, key) select distinct place_lists.id, account_scans.key from account_scans
    join mirrors on mirrors.id = account_scans.connection ${sql.raw(ofOwner('mirrors'))}
    where account_scans.connection = ${connection} and ${where}`.execute(db);
}

export interface Mark {
  readonly id: number;
  readonly key: string;
}

/** The newest mark of a list that is stored by now. */
export async function lastMark(db: Kysely<Schema>, listId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('place_marks')
    .select('id')
    .where('list_id', '=', listId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** The first marks of a list, up to one. */
export async function marksOf(
  db: Kysely<Schema>,
  listId: string,
  { last, limit }: { readonly last: number; readonly limit: number },
): Promise<readonly Mark[]> {
  return await db
    .selectFrom('place_marks')
    .select(['id', 'key'])
    .where('list_id', '=', listId)
    .where('id', '<=', last)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Marks barcodes of stored scans for a list that has not counted them. */
export async function addMarks(db: Kysely<Schema>, listId: string, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) {
    await db
      .insertInto('place_marks')
      .values(keys.map((key) => ({ list_id: listId, key })))
      .execute();
  }
}

/** Deletes marks that were read and folded. */
export async function deleteMarks(db: Kysely<Schema>, marks: readonly Mark[]): Promise<void> {
  await db
    .deleteFrom('place_marks')
    .where(
      'id',
      'in',
      marks.map(({ id }) => id),
    )
    .execute();
}

/** Deletes all marks of removed lists. */
export async function dropMarks(db: Kysely<Schema>, listIds: readonly string[]): Promise<void> {
  await db.deleteFrom('place_marks').where('list_id', 'in', listIds).execute();
}
