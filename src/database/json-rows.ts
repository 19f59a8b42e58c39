/**
 * Rows of a statement as one JSON parameter: its text stays the same for any number of rows, so that it is planned or
 * prepared once. The parameter is the statement's first.
 */
import { CompiledQuery, type Kysely, SqliteAdapter } from 'kysely';
import type { StoreKind } from './types.js';

export type JsonColumns = Readonly<Record<string, 'text' | 'bigint'>>;

/** A table expression with these columns and `n`, the row's place. */
export function jsonRows(kind: StoreKind, alias: string, columns: JsonColumns): string {
  const names = Object.entries({ ...columns, n: 'bigint' });
  if (kind === 'postgres') {
    return `json_to_recordset($1::json) as ${alias} (${names.map(([name, type]) => `${name} ${type}`).join(', ')})`;
  }
  const values = names.map(([name]) => `value ->> '${name}' as ${name}`).join(', ');
  return `(select ${values} from json_each(?1)) as ${alias}`;
}

export interface StatementOnRows {
  readonly statement: (kind: StoreKind) => string;
  readonly rows: readonly object[];
}

/** One text for each database, made when it is first used. */
export function statementFor(text: (kind: StoreKind) => string): (kind: StoreKind) => string {
  const made = new Map<StoreKind, string>();
  return (kind) => {
    const known = made.get(kind) ?? text(kind);
    made.set(kind, known);
    return known;
  };
}

export async function runOnRows<Row = never>(
  db: Pick<Kysely<unknown>, 'executeQuery' | 'getExecutor'>,
  statement: (kind: StoreKind) => string,
  rows: readonly object[],
): Promise<readonly Row[]> {
  const query = CompiledQuery.raw(statement(kindOf(db)), [numbered(rows)]);
  return (await db.executeQuery<Row>(query as CompiledQuery<Row>)).rows;
}

export function numbered(rows: readonly object[]): string {
  return JSON.stringify(rows.map((row, n) => ({ ...row, n })));
}

export function kindOf(db: Pick<Kysely<unknown>, 'getExecutor'>): StoreKind {
  return db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';
}
