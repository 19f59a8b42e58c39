/**
 * Owns the two databases that Scandesk runs on, for tests: one suite, run against each. Every `fresh()` is an empty
 * database of its own, gone after the file.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { type Clock, type Random, systemClock, systemRandom } from '../../src/clock.js';
import type { StoreKind } from '../../src/database/types.js';
import { type Log, silentLog } from '../../src/log.js';
import { eraseHooks } from '../../src/relay/index.js';
import { openStore, type StoreOptions } from '../../src/workspaces/store.js';
import type { Store } from '../../src/workspaces/types.js';
import { startPostgres, type TestPostgres } from './postgres.js';

export interface TestDatabases {
  readonly kind: StoreKind;
  /** The DATABASE_URL of a new, empty database. */
  fresh(): Promise<string>;
}

/** Describes `suite` twice: on a SQLite file, on a real PostgreSQL. */
export function onEachDatabase(title: string, suite: (databases: TestDatabases) => void): void {
  describe(`${title} on SQLite`, () => suite(sqliteDatabases()));
  describe(`${title} on PostgreSQL`, () => suite(postgresDatabases()));
}

/** For suites about SQLite alone. Call it where a hook may be registered: at the top of a file or in a describe. */
export function sqliteDatabases(): TestDatabases {
  const folders: string[] = [];
  afterAll(async () => {
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  });
  return {
    kind: 'sqlite',
    fresh: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'scandesk-store-'));
      folders.push(folder);
      return `file:${join(folder, 'scandesk.db')}`;
    },
  };
}

/** For suites about PostgreSQL alone. The server starts with the first database that is asked for. */
export function postgresDatabases(): TestDatabases {
  let server: Promise<TestPostgres> | undefined;
  const drops: (() => Promise<void>)[] = [];
  afterAll(async () => {
    const started = await server;
    await Promise.all(drops.map((drop) => drop()));
    await started?.stop();
  }, 60_000);
  return {
    kind: 'postgres',
    fresh: async () => {
      server ??= startPostgres();
      const database = await (await server).createDatabase();
      drops.push(database.drop);
      return database.url;
    },
  };
}

/** The key that seals in tests: 32 bytes, the same every time. */
export const testSecretKey = Buffer.alloc(32, 's');

/** A store with what tests rarely care about filled in. Close it. */
export async function openTestStore(url: string, options: Partial<StoreOptions> = {}): Promise<Store> {
  const defaults: { clock: Clock; random: Random; log: Log } = {
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
  };
  const store = await openStore({ url, secretKeys: [testSecretKey], ...defaults, ...options });
  for (const hook of eraseHooks(options.clock ?? defaults.clock)) {
    store.onErase(hook);
  }
  return store;
}
