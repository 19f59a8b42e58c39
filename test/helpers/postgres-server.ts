/**
 * The PostgreSQL server of a test run: one for all files, started when the first asks for it, with a database that has
 * its tables, so that files copy it rather than migrate one each.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { systemClock, systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { openStore } from '../../src/workspaces/store.js';
import { createDatabase, startPostgres } from './postgres.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Answers with a `PostgresServer`. */
    readonly postgresServer: string;
  }
}

export interface PostgresServer {
  readonly url: string;
  /** Of a database that has tables and no rows. */
  readonly template: string;
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const closing: (() => Promise<void>)[] = [];
  let starting: Promise<PostgresServer> | undefined;
  const start = async () => {
    const { url, stop } = await startPostgres();
    closing.push(stop);
    const template = await createDatabase(url);
    closing.push(template.drop);
    await createTables(template.url);
    return { url, template: template.url };
  };
  const listener = createServer((_request, response) => {
    starting ??= start();
    starting.then(
      (server) => response.end(JSON.stringify(server)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => listener.once('listening', listening));
  provide('postgresServer', `http://127.0.0.1:${(listener.address() as AddressInfo).port}`);
  return async () => {
    listener.close();
    await starting?.catch(() => undefined);
    for (const close of closing.reverse()) {
      await close();
    }
  };
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
