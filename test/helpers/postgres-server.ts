/**
 * The PostgreSQL server of a test run, with a database that has its tables, so that files copy it rather than migrate
 * one each.
 */
import type { TestProject } from 'vitest/node';
import { systemClock, systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { openStore } from '../../src/workspaces/store.js';
import { createDatabase, startPostgres } from './postgres.js';
import { offerServer } from './run-server.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where to ask for a `PostgresServer`. */
    readonly postgresServer: string;
  }
}

export interface PostgresServer {
  readonly url: string;
  /** The URL of a database that has tables and no rows. */
  readonly template: string;
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await offerServer<PostgresServer>(async () => {
    const server = await startPostgres();
    try {
      const template = await createDatabase(server.url);
      await createTables(template.url);
      const drop = () => template.drop().then(server.stop);
      return { found: { url: server.url, template: template.url }, stop: drop };
    } catch (error) {
      await server.stop();
      throw error;
    }
  });
  provide('postgresServer', url);
  return stop;
}

export async function createTables(url: string): Promise<void> {
  const store = await openStore({
    ...{ url, secretKeys: [Buffer.alloc(32)] },
    ...{ clock: systemClock, random: systemRandom, log: silentLog },
  });
  // The key that the store was sealed with is each test's own.
  await store.db.deleteFrom('keyv').execute();
  await store.close();
}
