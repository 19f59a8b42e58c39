/**
 * The PostgreSQL server of a test run, started once for all files, with a database that has its tables: files copy it
 * rather than migrate one each.
 */
import type { TestProject } from 'vitest/node';
import { systemClock, systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { openStore } from '../../src/workspaces/store.js';
import { createDatabase, startPostgres } from './postgres.js';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly postgres: { readonly url: string; readonly template: string };
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  const template = await createDatabase(server.url);
  const store = await openStore({
    ...{ url: template.url, secretKeys: [Buffer.alloc(32)] },
    ...{ clock: systemClock, random: systemRandom, log: silentLog },
  });
  await store.db.deleteFrom('keyv').execute();
  await store.close();
  provide('postgres', { url: server.url, template: template.url });
  return async () => {
    await template.drop();
    await server.stop();
  };
}
