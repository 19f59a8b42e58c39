/**
 * The lists of places as rows. Each write of a list's rows raises its version, under the list's lock or only if the
 * version is the one that was read: nothing read before another write, a reset or a deletion is written.
 */
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { columnsOfClaim, unclaimed } from '../database/claims/claim.js';
import { equal } from '../database/equal.js';
import type { PlaceListsTable, Schema } from '../database/schema.js';
import { readJson } from '../database/stored-json.js';
import type { Owner } from '../ownership.js';
import { dropMarks } from '../scans/marks.js';
import { endLoanWatches } from '../watches/watch-and-mute-rows.js';
import { type PlaceList, placeSettings } from './list.js';

type Row = Selectable<PlaceListsTable>;
type ListChange = Partial<Omit<Row, 'id' | 'installation' | 'team' | 'version'>>;

/** Another process works on the list, or somebody changed it. */
export class PlacesChanged extends Error {}

/** A moment after all that a device can send. */
export const allScans = Date.UTC(10_000, 0, 1);

export function toPlaceList(row: Row): PlaceList {
  return {
    id: row.id,
    owner: { installation: row.installation, team: row.team },
    name: row.name,
    settings: readJson(placeSettings, row.settings, 'list of places'),
    run: row.run,
    resetAt: row.reset_at,
    ...(row.next_reset_at === null ? {} : { nextResetAt: row.next_reset_at }),
    ...(row.cleared_at === null ? {} : { clearedAt: row.cleared_at }),
    ...(row.fill_to === null ? {} : { fillTo: row.fill_to }),
    ...(row.quiet_to === null ? {} : { quietTo: row.quiet_to }),
    version: row.version,
    createdBy: row.created_by,
  };
}

export async function listsOf(db: Kysely<Schema>, { installation, team }: Owner): Promise<readonly PlaceList[]> {
  const rows = await db
    .selectFrom('place_lists')
    .selectAll()
    .where('installation', '=', installation)
    .where('team', '=', team)
    .orderBy('id')
    .execute();
  return rows.map(toPlaceList);
}

export async function findList(db: Kysely<Schema>, id: string): Promise<PlaceList | undefined> {
  const row = await db.selectFrom('place_lists').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toPlaceList(row);
}

/** Writes a list. @returns the list with its new version. @throws PlacesChanged if the version read is not the last */
export async function updateList(db: Kysely<Schema>, list: PlaceList, change: ListChange): Promise<PlaceList> {
  const row = await db
    .updateTable('place_lists')
    .set((eb) => ({ ...change, version: eb('version', '+', 1) }))
    .where('id', '=', list.id)
    .where('version', '=', list.version)
    .returningAll()
    .executeTakeFirst();
  if (!row) {
    throw new PlacesChanged();
  }
  return toPlaceList(row);
}

/** The columns of a claim that ran out: the next poll of any process folds the list again. */
const claimColumns = columnsOfClaim({ worker: 'a change', until: 0 });

/** The list as it is now, locked until the transaction ends; undefined: it was removed. Voids a fold under way. */
export async function lockList(trx: Transaction<Schema>, id: string): Promise<PlaceList | undefined> {
  const row = await trx
    .updateTable('place_lists')
    .set((eb) => ({ ...claimColumns, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && toPlaceList(row);
}

/** Makes a list count anew, in another run: the process that folds it marks stored scans. */
export async function restart(
  trx: Transaction<Schema>,
  list: PlaceList,
  change: ListChange & { readonly run: string },
): Promise<void> {
  await updateList(trx, list, { ...change, fill_to: allScans, ...unclaimed });
  await endRuns(trx, [list.run]);
}

/** Deletes people's answers about the lent things of lists: about all, or about one. */
export async function forgetLoans(
  trx: Transaction<Schema>,
  lists: readonly string[],
  thing: { readonly key?: string; readonly barcode?: string } = {},
): Promise<void> {
  await trx
    .deleteFrom('loans')
    .where('list_id', 'in', [...lists])
    .where(equal(thing))
    .execute();
}

/** Deletes a list, or an owner's lists, with their moves, marks, loans and watches; boards, incidents and posts stay. */
export async function deleteLists(
  trx: Transaction<Schema>,
  which: Pick<PlaceList, 'id'> | { readonly installation: string; readonly team: string | undefined },
): Promise<void> {
  const lists = await trx.deleteFrom('place_lists').where(equal(which)).returning(['id', 'run']).execute();
  const ids = lists.map(({ id }) => id);
  if (ids.length > 0) {
    await forgetLoans(trx, ids);
    await endLoanWatches(trx, 'list_id', ids);
    await dropMarks(trx, ids);
    await endRuns(
      trx,
      lists.map(({ run }) => run),
    );
  }
}

async function endRuns(trx: Kysely<Schema>, runs: readonly string[]): Promise<void> {
  await trx
    .insertInto('place_runs_ended')
    .values(runs.map((run) => ({ run })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const rowTables = [
  ['place_moves', 'at'],
  ['places', 'key'],
  ['place_minutes', 'minute'],
  ['place_spans', 'minutes'],
  ['place_gates', 'gate'],
] as const;

/** Deletes some rows of a run that ended. @returns whether there may be more */
export async function deleteEndedRuns(db: Kysely<Schema>, limit: number): Promise<boolean> {
  const endedRun = await db.selectFrom('place_runs_ended').select('run').limit(1).executeTakeFirst();
  if (!endedRun) {
    return false;
  }
  for (const [table, column] of rowTables) {
    const [rows, name] = [sql.table(table), sql.ref(column)];
    const firstRows = sql`select ${name} as place from ${rows} where run = ${endedRun.run} order by ${name} limit ${sql.lit(limit)}`;
    const found = await sql<{
      last: number | string | null;
    }>`select max(place) as last from (${firstRows}) as first`.execute(db);
    const last = found.rows[0]?.last ?? null;
    if (last !== null) {
      await sql`delete from ${rows} where run = ${endedRun.run} and ${name} <= ${last}`.execute(db);
      return true;
    }
  }
  await db.deleteFrom('place_runs_ended').where('run', '=', endedRun.run).execute();
  return true;
}
