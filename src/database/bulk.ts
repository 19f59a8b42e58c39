/**
 * Statements over many rows, with one constant text for each database. PostgreSQL runs its text once, with the rows as
 * one JSON parameter; SQLite runs a prepared statement for each row: to read JSON would take four times as long.
 */
import { CompiledQuery, type Kysely, SqliteAdapter } from 'kysely';
import { type StorableValue, storable } from './bind-values.js';
import type { Schema } from './schema.js';
import type { StoreKind } from './types.js';

export type BulkColumns = Readonly<Record<string, 'text' | 'bigint'>>;
export type BulkRow<Columns extends BulkColumns> = {
  readonly [Name in keyof Columns]: (Columns[Name] extends 'text' ? string : number) | null | undefined;
};

export interface BulkText {
  readonly kind: StoreKind;
  /** The rows, as the relation `input` with these columns and `n`, the row's place. */
  readonly input: string;
  /** The `order by` with which a text ends if its rows must be handled in their order. */
  readonly inOrder: string;
}

type Executor = Pick<Kysely<Schema>, 'executeQuery' | 'getExecutor'>;

/** Runs the statement over the rows. Rows of the result may come in any order; for no rows, no query runs. */
export interface BulkStatement<Columns extends BulkColumns> {
  <Row = never>(db: Executor, rows: readonly BulkRow<Columns>[]): Promise<readonly Row[]>;
  /** The statement with rows, for `runTogether`. */
  withRows(rows: readonly BulkRow<Columns>[]): BulkPart;
}

export interface BulkPart {
  readonly texts: Readonly<Record<StoreKind, string>>;
  /** The names of the columns, and `n` where the text reads it. */
  readonly names: readonly string[];
  /** The rows, each with its values in the order of the names. */
  readonly rows: readonly (readonly StorableValue[])[];
}

/** A query that SQLite runs once for each list of parameters. */
export interface RepeatedQuery extends CompiledQuery {
  readonly parameterLists: readonly (readonly StorableValue[])[];
}

export function isRepeated(query: CompiledQuery): query is RepeatedQuery {
  return 'parameterLists' in query;
}

export function bulkStatement<const Columns extends BulkColumns>(
  columns: Columns,
  textOf: (text: BulkText) => string,
): BulkStatement<Columns> {
  return statementOf(Object.keys(columns), true, {
    postgres: textOf({ kind: 'postgres', input: recordset(columns), inOrder: 'order by n' }),
    sqlite: textOf({ kind: 'sqlite', input: oneRow(Object.keys(columns)), inOrder: '' }),
  });
}

/** An insert of the rows. SQLite inserts `values`: the relation `input` would make a scan's insert a seventh slower. */
export function bulkInsert<const Columns extends BulkColumns>(table: string, columns: Columns): BulkStatement<Columns> {
  const names = Object.keys(columns).join(', ');
  const places = Object.keys(columns).map((_, at) => `?${at + 1}`);
  return statementOf(Object.keys(columns), false, {
    postgres: `insert into ${table} (${names}) select ${names} from ${recordset(columns)}`,
    sqlite: `insert into ${table} (${names}) values (${places})`,
  });
}

/** Makes a statement. `isNumbered`: whether the text reads each row's place, `n`. */
function statementOf<Columns extends BulkColumns>(
  columns: readonly string[],
  isNumbered: boolean,
  texts: BulkPart['texts'],
): BulkStatement<Columns> {
  const names = isNumbered ? [...columns, 'n'] : columns;
  const part = (rows: readonly BulkRow<Columns>[]): BulkPart => ({
    texts,
    names,
    rows: rows.map((row, n) => names.map((name) => (name === 'n' ? n : storable(row[name])))),
  });
  const run = async <Row>(db: Executor, rows: readonly BulkRow<Columns>[]) =>
    rows.length === 0 ? [] : await runPart<Row>(db, part(rows));
  return Object.assign(run, { withRows: part });
}

/** Several statements on different tables, without results: PostgreSQL runs them in one round trip, in no order. */
export async function runTogether(db: Executor, statements: readonly BulkPart[]): Promise<void> {
  const statementsWithRows = statements.filter(({ rows }) => rows.length > 0);
  if (statementsWithRows.length > 1 && kindOf(db) === 'postgres') {
    const steps = statementsWithRows.map(
      ({ texts }, at) => `part${at} as (${texts.postgres.replace('$1', `$${at + 1}`)})`,
    );
    const rows = statementsWithRows.map(toJson);
    await db.executeQuery(CompiledQuery.raw(`with ${steps.join(',')} select 1`, rows));
    return;
  }
  for (const part of statementsWithRows) {
    await runPart(db, part);
  }
}

async function runPart<Row>(db: Executor, part: BulkPart): Promise<readonly Row[]> {
  const { texts, rows } = part;
  const query =
    kindOf(db) === 'sqlite'
      ? { ...CompiledQuery.raw(texts.sqlite), parameterLists: rows }
      : CompiledQuery.raw(texts.postgres, [toJson(part)]);
  return (await db.executeQuery(query as CompiledQuery<Row>)).rows;
}

function toJson({ names, rows }: BulkPart): string {
  return JSON.stringify(rows.map((values) => Object.fromEntries(names.map((name, at) => [name, values[at]]))));
}

export function kindOf(db: Pick<Executor, 'getExecutor'>): StoreKind {
  return db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
}

function recordset(columns: BulkColumns): string {
  const typedColumns = Object.entries({ ...columns, n: 'bigint' }).map(([name, type]) => `${name} ${type}`);
  return `json_to_recordset($1::json) as input (${typedColumns.join(', ')})`;
}

function oneRow(names: readonly string[]): string {
  return `(select ${[...names, 'n'].map((name, at) => `?${at + 1} as ${name}`).join(', ')}) as input`;
}
