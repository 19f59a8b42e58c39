/**
 * The SQLite driver: Node's own `node:sqlite` where it needs no flag, else its twin from the npm registry. Both have
 * the same API; the twin ships its binaries.
 */
import { createRequire } from 'node:module';
import type { StorableValue } from '../bind-values.js';

export interface RawStatement {
  run(...parameters: readonly StorableValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  all(...parameters: readonly StorableValue[]): unknown[];
}

export interface RawDatabase {
  exec(sql: string): void;
  prepare(sql: string): RawStatement;
  close(): void;
}

interface SqliteModule {
  readonly DatabaseSync: new (path: string) => RawDatabase;
}

export type SqliteDriverName = 'node:sqlite' | '@photostructure/sqlite';

export interface SqliteDriverChoice {
  readonly name: SqliteDriverName;
  open(path: string): RawDatabase;
}

const require = createRequire(import.meta.url);

export function chooseSqliteDriver(): SqliteDriverChoice {
  return loadSqliteDriver('node:sqlite') ?? loadSqliteDriver('@photostructure/sqlite', { needed: true });
}

/** Loads a driver by name; undefined when this Node has no `node:sqlite` (before 22.5) or hides it behind a flag. */
export function loadSqliteDriver(name: SqliteDriverName, options: { needed: true }): SqliteDriverChoice;
export function loadSqliteDriver(name: SqliteDriverName): SqliteDriverChoice | undefined;
export function loadSqliteDriver(name: SqliteDriverName, options?: { needed: true }): SqliteDriverChoice | undefined {
  try {
    const { DatabaseSync } = withoutExperimentalWarning(() => require(name) as SqliteModule);
    return { name, open: (path) => new DatabaseSync(path) };
  } catch (error) {
    if (options?.needed) {
      throw error;
    }
    return undefined;
  }
}

/** Runs the work without Node 22's warning that its SQLite API is experimental: the operator cannot act on it. */
function withoutExperimentalWarning<T>(work: () => T): T {
  const emitWarning = process.emitWarning;
  process.emitWarning = (...parameters: unknown[]) => {
    if (!parameters.includes('ExperimentalWarning')) {
      Reflect.apply(emitWarning, process, parameters);
    }
  };
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}
