/**
 * The change numbers of mirrors, and the values and scans that changed through Scandesk. An answer is stored with the
 * number from before its request: not over values changed since, and not at all if those are no longer known.
 */
import type { Kysely, Transaction } from 'kysely';
import { bulkStatement, kindOf } from '../../database/bulk.js';
import type { Schema } from '../../database/schema.js';
import { LeaseLost, MirrorError } from '../errors.js';

export type Part = 'scans' | 'values';
export type Parent = 'mirrors' | 'mirrored_databases';

const parents = { scans: 'mirrors', values: 'mirrored_databases' } as const satisfies Record<Part, Parent>;

/** The change number of rows that are stored whatever was changed before. */
export const afterAllChanges = Number.MAX_SAFE_INTEGER;

const putChanges = bulkStatement(
  { part: 'text', mirror_id: 'bigint', key: 'text', change: 'bigint' },
  ({ input }) => `
    insert into mirrored_changes (part, mirror_id, key, change)
    select part, mirror_id, key, change from ${input} where true order by key
    on conflict (part, mirror_id, key) do update set change = excluded.change`,
);

/** The condition that a row of `input` was not changed after the change number in its `since`. */
export const unchangedSince = (part: Part, key: string): string =>
  `not exists (select 1 from mirrored_changes as changed where changed.part = '${part}'
    and changed.mirror_id = input.mirror_id and changed.key = input.${key} and changed.change > input.since)`;

/** The change number, to remember before a request leaves. @throws LeaseLost where nothing is mirrored */
export async function changeNumber(db: Kysely<Schema>, part: Part, id: number): Promise<number> {
  const row = await db.selectFrom(parents[part]).select('changes').where('id', '=', id).executeTakeFirst();
  return requireRow(row).changes;
}

/**
 * Locks the row to which mirrored values or scans belong while they are stored. The row is deleted before its values or
 * scans, so that a pass or an answer under way leaves nothing behind.
 * @throws LeaseLost where the row is deleted, MirrorError where it is unknown what has changed since
 */
export async function lockParent(trx: Transaction<Schema>, part: Part, id: number, since: number): Promise<void> {
  const row = await trx
    .selectFrom(parents[part])
    .select('settled')
    .where('id', '=', id)
    .$if(kindOf(trx) === 'postgres', (query) => query.forShare())
    .executeTakeFirst();
  if (requireRow(row).settled > since) {
    throw new MirrorError('relay.database_unsteady', 'what was read left before a change that is settled');
  }
}

/** The keys among these that changed after the given number. */
export async function changedSince(
  trx: Transaction<Schema>,
  table: Part,
  { id, keys, since }: { readonly id: number; readonly keys: readonly string[]; readonly since: number },
): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('mirrored_changes')
    .select('key')
    .where('part', '=', table)
    .where('mirror_id', '=', id)
    .where('change', '>', since)
    .where('key', 'in', keys)
    .execute();
  return new Set(rows.map(({ key }) => key));
}

/** Raises the change number for these keys. @returns the number; undefined: nothing is mirrored */
export async function raise(
  trx: Transaction<Schema>,
  table: Part,
  id: number,
  keys: readonly string[],
): Promise<number | undefined> {
  const row = await trx
    .updateTable(parents[table])
    .set((eb) => ({ changes: eb('changes', '+', 1) }))
    .where('id', '=', id)
    .returning('changes')
    .executeTakeFirst();
  if (row) {
    const { changes: change } = row;
    await putChanges(
      trx,
      [...new Set(keys)].map((key) => ({ part: table, mirror_id: id, key, change })),
    );
  }
  return row?.changes;
}

/** Records that a pass which began at this number has ended: no answer from before counts any more. */
export async function settle(db: Kysely<Schema>, part: Part, id: number, began: number): Promise<void> {
  await db
    .updateTable(parents[part])
    .set({ settled: began })
    .where('id', '=', id)
    .where('settled', '<', began)
    .execute();
  await forgetChanges(db, part, id, (query) => query.where('change', '<=', began));
}

type Deletion = ReturnType<typeof deletion>;
const deletion = (db: Kysely<Schema>) => db.deleteFrom('mirrored_changes');

export async function forgetChanges(
  db: Kysely<Schema>,
  part: Part,
  id: number,
  which: (query: Deletion) => Deletion = (query) => query,
): Promise<void> {
  await which(deletion(db).where('part', '=', part).where('mirror_id', '=', id)).execute();
}

/** Deletes the changes of mirrors that are deleted. */
export async function sweepChanges(db: Kysely<Schema>): Promise<void> {
  for (const part of ['scans', 'values'] as const) {
    await deletion(db)
      .where('part', '=', part)
      .where('mirror_id', 'not in', (eb) => eb.selectFrom(parents[part]).select('id'))
      .execute();
  }
}

function requireRow<Row>(row: Row | undefined): Row {
  if (!row) {
    throw new LeaseLost('what it belongs to is no longer mirrored');
  }
  return row;
}
