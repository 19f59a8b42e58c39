/** The SQLite file of the embedded account service. It is synchronous: a call returns once its statement is done. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { openSqliteFile, transaction } from '../../sqlite.js';

export type SqlValue = string | number | null;

export interface Sql {
  all<Row>(statement: string, ...values: SqlValue[]): Row[];
  get<Row>(statement: string, ...values: SqlValue[]): Row | undefined;
  /** Runs one statement. `id`: the row id of the last insert. */
  run(statement: string, ...values: SqlValue[]): { changes: number; id: number };
  /** Runs several statements at once, without values. */
  script(statements: string): void;
  /** Commits all of `work` or nothing. `work` must not await: nothing else may run in between. */
  transaction<Result>(work: () => Result): Result;
  close(): void;
}

/** Opens the file. @throws whatever the driver throws when the file cannot be opened */
export async function openSqlite(file: string): Promise<Sql> {
  if (file !== ':memory:') {
    mkdirSync(dirname(file), { recursive: true });
  }
  const database = await openSqliteFile(file, { foreignKeys: true, synchronous: 'FULL' });
  defineFold(database);

  const prepared = new Map<string, StatementSyncInstance>();
  const prepare = (statement: string): StatementSyncInstance => {
    let found = prepared.get(statement);
    if (!found) {
      found = database.prepare(statement);
      prepared.set(statement, found);
    }
    return found;
  };

  return {
    all: <Row>(statement: string, ...values: SqlValue[]) => prepare(statement).all(...values) as Row[],
    get: <Row>(statement: string, ...values: SqlValue[]) => prepare(statement).get(...values) as Row | undefined,
    run: (statement, ...values) => {
      const done = prepare(statement).run(...values);
      return { changes: Number(done.changes), id: Number(done.lastInsertRowid) };
    },
    script: (statements) => database.exec(statements),
    transaction: (work) => transaction(database, work),
    close: () => {
      prepared.clear();
      database.close();
    },
  };
}

/** Defines `fold` for case folding: SQLite's own functions handle ASCII only. */
function defineFold(database: DatabaseSyncInstance): void {
  database.function('fold', { deterministic: true }, (text: unknown) => fold(String(text ?? '')));
}

/** Case folding for comparisons. */
export function fold(text: string): string {
  return text.toLowerCase();
}
