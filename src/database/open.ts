/** The opening of a database by its URL: a SQLite file or PostgreSQL. */
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
import type { Reads, StoreKind } from './types.js';

export interface OpenDatabase {
  readonly kind: StoreKind;
  readonly db: Kysely<Schema>;
  readonly reads?: Reads;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** The database's URL: `file:PATH` (relative to the working directory, or absolute) or `postgres://…`. */
  readonly url: string;
  readonly log: Log;
  /** The number of connections to PostgreSQL, without those of prepared reads; default 10. */
  readonly poolSize?: number;
  /** Timeouts of PostgreSQL, where they differ from the defaults. */
  readonly limits?: Partial<PostgresLimits>;
  /** The driver, for tests, which run both; default: what `chooseSqliteDriver` finds. */
  readonly sqliteDriver?: SqliteDriverChoice;
}

/**
 * Opens the database and runs the migrations.
 * @throws StoreError `store.url`, and what `migrate` throws
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
  // Migrations run on a connection of their own, with limits of their own: one may take longer than other statements.
  const migrationDb = kyselyOf(postgresDialect({ url, log, poolSize: 1, limits: { ...limits, ...migrationLimits } }));
  try {
    await migrate(migrationDb, 'postgres', log);
  } finally {
    await migrationDb.destroy();
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
