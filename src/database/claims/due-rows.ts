/**
 * Due rows of timers, each in a transaction of its own: a row that fails does not block later ones. Rows are not
 * claimed: the work on a row locks its relay, and then reads the row again.
 */
import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.js';

/** The due time of a row that is never due. */
export const never = Number.MAX_SAFE_INTEGER;

/** The furthest that a time of a week's schedule can be ahead, with all that is added to it. */
const longestAheadMs = 15 * 86_400_000;

/**
 * The condition that a row is due at `now`. A time that is further ahead than `longestMs` was written by a clock that
 * was wrong, of this process or another: it is due now.
 */
export function isDue(column: string, now: number, longestMs: number = longestAheadMs): RawBuilder<boolean> {
  const at = sql.ref(column);
  return sql`(${at} <= ${now} or (${at} > ${now + longestMs} and ${at} < ${sql.lit(never)}))`;
}

type Work<Item> = (trx: Transaction<Schema>, item: Item) => Promise<boolean>;

const rowsPerRun = 50;

/**
 * Works on 50 rows at most that are due at `now` by the column `at`, the longest due first; without any, takes no lock.
 * Returns the number of rows for which `work` answered true.
 * @throws the first failure, once all rows were tried
 */
export async function workOnDue<Table extends keyof Schema, Column extends keyof Selectable<Schema[Table]> & string>(
  db: Kysely<Schema>,
  {
    table,
    at,
    key,
    only = sql`true`,
  }: {
    readonly table: Table;
    readonly at: string;
    readonly key: readonly Column[];
    readonly only?: RawBuilder<unknown>;
  },
  now: number,
  work: Work<Pick<Selectable<Schema[Table]>, Column>>,
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const due = await sql<Pick<Selectable<Schema[Table]>, Column>>`
    select ${columns} from ${sql.table(table)} where ${isDue(at, now)} and ${only}
    order by ${sql.ref(at)} limit ${sql.lit(rowsPerRun)}`.execute(db);
  return await inEachTransaction(db, due.rows, work);
}

/** Like `workOnDue`, for any items. */
export async function inEachTransaction<Item>(
  db: Kysely<Schema>,
  items: readonly Item[],
  workOn: Work<Item>,
): Promise<number> {
  const failures: unknown[] = [];
  let doneCount = 0;
  for (const item of items) {
    try {
      doneCount += (await db.transaction().execute((trx) => workOn(trx, item))) ? 1 : 0;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw failures[0];
  }
  return doneCount;
}
