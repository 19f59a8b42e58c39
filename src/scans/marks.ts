/**
 * Marks of barcodes whose scans changed: a row for each list of the owner and each hundred barcodes of a transaction,
 * which writes it with the scans. Ids are made before commits end, so readers cannot rely on their order: the process
 * that folds a list deletes the marks that it has folded.
 */
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { type BulkPart, bulkStatement } from '../database/bulk.js';
import { chunksOf } from '../database/chunks.js';
import type { Schema } from '../database/schema.js';
import { type Owner, ownerKey } from '../ownership.js';

/** The text between the keys of a mark, which no key holds, since an answer of the account cannot. */
const separator = '\u001e';
const mostInMark = 100;

const markOfOwner = bulkStatement(
  { installation: 'text', team: 'text', keys: 'text' },
  ({ input }) => `
    insert into place_marks (list_id, keys) select place_lists.id, input.keys from ${input}
    join place_lists on place_lists.installation = input.installation and place_lists.team = input.team`,
);

type Key = { readonly key: string };

const inMarks = (keys: readonly string[]): readonly string[] =>
  chunksOf([...new Set(keys)], mostInMark).map((some) => some.join(separator));

/** Marks the barcodes of scans that relays received, or that were completed, for all lists of the owner. */
export function markReceived(scans: readonly { readonly owner: Owner; readonly key: string }[]): BulkPart {
  const owners = new Map(scans.map(({ owner }) => [ownerKey(owner), owner]));
  return markOfOwner.withRows(
    [...owners].flatMap(([name, owner]) =>
      marksFor(
        owner,
        scans.filter((scan) => ownerKey(scan.owner) === name),
      ),
    ),
  );
}

const marksFor = ({ installation, team }: Owner, scans: readonly Key[]) =>
  inMarks(scans.map(({ key }) => key)).map((keys) => ({ installation, team, keys }));

/** The keys of scans of the account that are new or differ from the stored ones, and of those that they replace. */
const differing = bulkStatement(
  { connection: 'bigint', scan_id: 'text', key: 'text', modified_at: 'bigint', record: 'text' },
  ({ input }) => `
    select input.key from ${input}
      where not exists (select 1 from account_scans as held where held.connection = input.connection
        and held.scan_id = input.scan_id and (held.record = input.record or held.modified_at > input.modified_at))
    union all select held.key from ${input}
      join account_scans as held on held.connection = input.connection and held.scan_id = input.scan_id
      where held.key <> input.key and held.modified_at <= input.modified_at`,
);

/** Marks the barcodes of the account's scans; call it before their rows are stored. */
export async function markRecorded(
  trx: Transaction<Schema>,
  connection: number,
  rows: Parameters<typeof differing>[1],
): Promise<void> {
  await markOf(trx, connection, () => differing(trx, rows));
}

/** Marks the barcodes of scans that are about to be deleted, since the account has them no more. */
export async function markDeleted(db: Kysely<Schema>, connection: number, where: RawBuilder<unknown>): Promise<void> {
  await markOf(db, connection, async () => {
    const found = sql<Key>`select distinct key from account_scans where connection = ${connection} and ${where}`;
    return (await found.execute(db)).rows;
  });
}

/** Marks the keys that `find` returns for a connection's scans, if the owner has lists. */
async function markOf(db: Kysely<Schema>, connection: number, find: () => Promise<readonly Key[]>): Promise<void> {
  const owner = await db
    .selectFrom('mirrors')
    .innerJoin('place_lists', (join) =>
      join
        .onRef('place_lists.installation', '=', 'mirrors.installation')
        .onRef('place_lists.team', '=', 'mirrors.team'),
    )
    .select(['mirrors.installation', 'mirrors.team'])
    .where('mirrors.id', '=', connection)
    .limit(1)
    .executeTakeFirst();
  if (owner) {
    await markOfOwner(db, marksFor(owner, await find()));
  }
}

export interface Mark {
  readonly id: number;
  readonly keys: readonly string[];
}

/** The id of the newest stored mark of a list. */
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

/** The first marks of a list, up to the mark `last`: of at most `barcodes` barcodes together, but at least one mark. */
export async function marksOf(
  db: Kysely<Schema>,
  listId: string,
  { last, barcodes }: { readonly last: number; readonly barcodes: number },
): Promise<readonly Mark[]> {
  const rows = await db
    .selectFrom('place_marks')
    .select(['id', 'keys'])
    .where('list_id', '=', listId)
    .where('id', '<=', last)
    .orderBy('id')
    .limit(barcodes)
    .execute();
  const all = rows.map(({ id, keys }) => ({ id, keys: keys.split(separator) }));
  const known = new Set<string>();
  const end = all.findIndex(({ keys }) => {
    for (const key of keys) known.add(key);
    return known.size > barcodes;
  });
  return all.slice(0, end < 0 ? all.length : Math.max(1, end));
}

/** Whether a list has a mark of a barcode. */
export function isMarked(listId: RawBuilder<unknown>, key: RawBuilder<unknown>): RawBuilder<unknown> {
  const separatorSql = sql.lit(separator);
  const enclosedKeys = sql`${separatorSql} || place_marks.keys || ${separatorSql}`;
  return sql`exists (select 1 from place_marks where place_marks.list_id = ${listId}
    and replace(${enclosedKeys}, ${separatorSql} || ${key} || ${separatorSql}, '') <> ${enclosedKeys})`;
}

/** Marks barcodes of stored scans for a list that has not counted them. */
export async function addMarks(db: Kysely<Schema>, listId: string, keys: readonly string[]): Promise<void> {
  const marks = inMarks(keys).map((some) => ({ list_id: listId, keys: some }));
  if (marks.length > 0) {
    await db.insertInto('place_marks').values(marks).execute();
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
