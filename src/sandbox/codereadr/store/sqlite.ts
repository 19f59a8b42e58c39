/**
 * The SQLite file of the embedded account service, by Node's own driver or its twin from the npm registry. Synchronous:
 * a statement is done when it returns. Transactions do not nest.
 */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';

export type SqlValue = string | number | null;

export interface Sql {
  all<Row>(statement: string, ...values: SqlValue[]): Row[];
  get<Row>(statement: string, ...values: SqlValue[]): Row | undefined;
  /** `id`: the row id of the last insert. */
  run(statement: string, ...values: SqlValue[]): { changes: number; id: number };
  /** Several statements at once, without values. */
  script(statements: string): void;
  /** All or nothing. `work` must not await: nothing else may run in between. */
  transaction<Result>(work: () => Result): Result;
  close(): void;
}

type Driver = { new (file: string, options?: { enableForeignKeyConstraints?: boolean }): DatabaseSyncInstance };

/** Node's own `node:sqlite` where it needs no flag, else the package with the same API. */
async function driver(): Promise<Driver> {
  const own = process.getBuiltinModule?.('node:sqlite') as unknown as { DatabaseSync: Driver } | undefined;
  return own?.DatabaseSync ?? ((await import('@photostructure/sqlite')).DatabaseSync as unknown as Driver);
}

/**
 * Opens (or creates) the file; `:memory:` keeps everything in memory.
 * @throws whatever the driver throws when the file cannot be opened
 */
export async function openSqlite(file: string): Promise<Sql> {
  if (file !== ':memory:') {
    mkdirSync(dirname(file), { recursive: true });
  }
  const Database = await driver();
  const database = new Database(file, { enableForeignKeyConstraints: true });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000;');
  defineFunctions(database);

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
    transaction: (work) => {
      database.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
    close: () => {
      prepared.clear();
      database.close();
    },
  };
}

/** SQLite's own functions handle ASCII only. */
function defineFunctions(database: DatabaseSyncInstance): void {
  database.function('fold', { deterministic: true }, (text: unknown) => fold(String(text ?? '')));
}

/** Case folding for comparisons. */
export function fold(text: string): string {
  return text.toLowerCase();
}
