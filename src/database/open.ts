/**
 * Owns the choice of the database, the only place where the two differ: a SQLite file or PostgreSQL, by the URL.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Dialect, Kysely } from 'kysely';
import type { Log } from '../log.js';
import { guardDialect } from './dialects/guard.js';
import { postgresDialect } from './dialects/postgres.js';
import { isLostConnection, migrationLimits, type PostgresLimits } from './dialects/postgres-pool.js';
import { sqliteDialect } from './dialects/sqlite.js';
import { chooseSqliteDriver, type SqliteDriverChoice } from './dialects/sqlite-driver.js';
import { SqliteEngine } from './dialects/sqlite-engine.js';
import { StoreError } from './errors.js';
import { migrate } from './migrate.js';
import { createReads } from './prepared-reads.js';
import type { Schema } from './schema.js';
import type { Reads, SqliteFastPath, StoreKind } from './types.js';

export interface OpenDatabase {
  readonly kind: StoreKind;
  readonly db: Kysely<Schema>;
  readonly sqlite?: SqliteFastPath;
  readonly reads?: Reads;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `file:PATH` (relative to the working directory, or absolute) or `postgres://…`. */
  readonly url: string;
  readonly log: Log;
  /** Connections to PostgreSQL; 10 unless told. */
  readonly poolSize?: number;
  /** How long PostgreSQL may take over what; the usual unless told. */
  readonly limits?: Partial<PostgresLimits>;
  /** Tests run both; else the driver this Node offers. */
  readonly sqliteDriver?: SqliteDriverChoice;
}

/**
 * Opens the database and brings its tables to this version.
 * @throws StoreError `store.url`, `store.unavailable`, `store.migration`
 */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  if (/^postgres(ql)?:\/\//.test(options.url)) {
    return await openPostgres(options);
  }
  const opened = openSqlite(options);
  try {
    await migrate(opened.db, opened.kind, options.log);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return opened;
}

async function openPostgres({ url, log, poolSize = 10, limits }: DatabaseOptions): Promise<OpenDatabase> {
  const kyselyOf = (dialect: Dialect) => new Kysely<Schema>({ dialect: guardDialect(dialect, isLostConnection) });
  // On a connection of its own, for it may take longer than anything else.
  const migrating = kyselyOf(postgresDialect({ url, log, poolSize: 1, limits: { ...limits, ...migrationLimits } }));
  try {
    await migrate(migrating, 'postgres', log);
  } finally {
    await migrating.destroy();
  }
  const db = kyselyOf(postgresDialect({ url, log, poolSize, limits }));
  const reads = createReads({ url, log, limits });
  return { kind: 'postgres', db, reads, close: async () => void (await Promise.all([db.destroy(), reads.close()])) };
}

function openSqlite({ url, sqliteDriver }: DatabaseOptions): OpenDatabase {
  const engine = new SqliteEngine(sqlitePath(url), sqliteDriver ?? chooseSqliteDriver());
  const db = new Kysely<Schema>({ dialect: guardDialect(sqliteDialect(engine)) });
  return {
    kind: 'sqlite',
    db,
    sqlite: { transaction: (work) => engine.transaction(work) },
    close: () => db.destroy(),
  };
}

function sqlitePath(url: string): string {
  const path = url.startsWith('file:') ? url.slice('file:'.length) : '';
  if (path === '' || path === ':memory:') {
    throw new StoreError('store.url', 'DATABASE_URL must be file:PATH or postgres://…');
  }
  return path.startsWith('//') ? fileURLToPath(url) : resolve(path);
}
