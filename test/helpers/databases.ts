/**
 * The two databases Scandesk runs on, for tests: one suite runs against each. Every `fresh()` is a database
 * of its own, removed after the file.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, inject } from 'vitest';
import { type Clock, type Random, systemClock, systemRandom } from '../../src/clock.js';
import { chooseSqliteDriver } from '../../src/database/dialects/sqlite-driver.js';
import type { StoreKind } from '../../src/database/types.js';
import { type Log, silentLog } from '../../src/log.js';
import { eraseHooks } from '../../src/relay/index.js';
import { openStore, type StoreOptions } from '../../src/workspaces/store.js';
import type { Store } from '../../src/workspaces/types.js';
import { createDatabase } from './postgres.js';
import { createTables, type PostgresServer } from './postgres-server.js';
import { askFor } from './run-server.js';

export interface TestDatabases {
  readonly kind: StoreKind;
  /** Creates a database without rows and returns its DATABASE_URL. */
  fresh(): Promise<string>;
  /** Creates a database without tables and returns its DATABASE_URL, for suites about a first start. */
  empty(): Promise<string>;
}

declare module 'vitest' {
  export interface ProvidedContext {
    readonly databases: readonly StoreKind[];
  }
}

/** Runs `suite` on a SQLite file, on a real PostgreSQL, or on both: as the project in vitest.config.ts says. */
export function onEachDatabase(title: string, suite: (databases: TestDatabases) => void): void {
  const kinds = inject('databases');
  if (kinds.includes('sqlite')) {
    describe(`${title} on SQLite`, () => suite(sqliteDatabases()));
  }
  if (kinds.includes('postgres')) {
    describe(`${title} on PostgreSQL`, () => suite(postgresDatabases()));
  }
}

/** Runs `suite` on a real PostgreSQL alone, in the projects that have one. */
export function onPostgres(title: string, suite: (databases: TestDatabases) => void): void {
  if (inject('databases').includes('postgres')) {
    describe(title, () => suite(postgresDatabases()));
  }
}

/** The databases of suites about SQLite only. Call it where hooks can be registered: in a file or in a describe. */
export function sqliteDatabases(): TestDatabases {
  const folders: string[] = [];
  afterAll(async () => {
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  });
  const empty = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scandesk-store-'));
    folders.push(folder);
    return `file:${join(folder, 'scandesk.db')}`;
  };
  const fresh = async () => {
    const url = await empty();
    await copyMigrated(pathOf(url));
    return url;
  };
  return { kind: 'sqlite', fresh, empty };
}

/** Makes a SQLite file that has tables and no rows: a copy, which takes a quarter of the time that the migrations do. */
export async function copyMigrated(path: string): Promise<void> {
  migratedFile ??= createMigratedFile();
  await writeFile(path, await migratedFile, { mode: 0o600 });
}

let migratedFile: Promise<Buffer> | undefined;

async function createMigratedFile(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'scandesk-migrated-'));
  try {
    const url = `file:${join(folder, 'scandesk.db')}`;
    await createTables(url);
    // A closed connection may leave the tables in the write-ahead log until its statements are collected.
    const database = chooseSqliteDriver().open(pathOf(url));
    const [outcome] = database.prepare('pragma wal_checkpoint(truncate)').all() as { busy: number }[];
    database.close();
    if (outcome?.busy !== 0) {
      throw new Error('the tables are not in the SQLite file');
    }
    return await readFile(pathOf(url));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function pathOf(url: string): string {
  return url.slice('file:'.length);
}

/** For suites about PostgreSQL only: databases of their own on the run's one server. */
export function postgresDatabases(): TestDatabases {
  let asked: Promise<PostgresServer> | undefined;
  const server = () => (asked ??= askFor<PostgresServer>(inject('postgresServer')));
  const drops: (() => Promise<void>)[] = [];
  afterAll(async () => {
    await Promise.all(drops.map((drop) => drop()));
  }, 60_000);
  const create = async (template?: string) => {
    const database = await createDatabase((await server()).url, template);
    drops.push(database.drop);
    return database.url;
  };
  return { kind: 'postgres', fresh: async () => create((await server()).template), empty: () => create() };
}

/** The encryption key of the tests: 32 bytes, always the same. */
export const testSecretKey = Buffer.alloc(32, 's');

/** Opens a store with defaults for what tests rarely vary. The caller closes it. */
export async function openTestStore(url: string, options: Partial<StoreOptions> = {}): Promise<Store> {
  const defaults: { clock: Clock; random: Random; log: Log } = {
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
  };
  const store = await openStore({ url, secretKeys: [testSecretKey], ...defaults, ...options });
  if (store.kind === 'sqlite') {
    // That data survives a power cut is SQLite's own guarantee, which would only cost time here.
    await sql`pragma synchronous = off`.execute(store.db);
  }
  for (const hook of eraseHooks(options.clock ?? defaults.clock)) {
    store.onErase(hook);
  }
  return store;
}
