/**
 * Shared fixtures of lookup tests: the embedded account over real HTTP, whose wire records every call and can
 * replace or delay its response.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Keyv } from 'keyv';
import { Kysely } from 'kysely';
import { type Clock, systemClock, systemRandom } from '../../src/clock.js';
import { createAccounts } from '../../src/codereadr/index.js';
import type { Account, Accounts } from '../../src/codereadr/types.js';
import { sqliteDialect } from '../../src/database/dialects/sqlite.js';
import { chooseSqliteDriver } from '../../src/database/dialects/sqlite-driver.js';
import { SqliteEngine } from '../../src/database/dialects/sqlite-engine.js';
import type { Schema } from '../../src/database/schema.js';
import { silentLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics.js';
import type { Owner } from '../../src/ownership.js';
import { type AccountServiceOptions, createAccountService } from '../../src/sandbox/codereadr/index.js';
import { createScans, type Scans } from '../../src/scans/index.js';
import { copyMigrated } from '../helpers/databases.js';

export const owner: Owner = { installation: 'T1', team: 'T1' };

export interface Call {
  /** `section/action`. */
  readonly operation: string;
  readonly variables: URLSearchParams;
}

/** Handles a call: returns a response (a body, or a full response), or nothing to forward the call to the account. */
export type OnWire = (call: Call) => Promise<string | undefined> | string | undefined;

export interface DeskHarness {
  readonly account: Account;
  readonly accounts: Accounts;
  readonly apiKey: string;
  readonly apiUrl: string;
  /** Every call, in order. */
  readonly calls: Call[];
  /** The number of calls whose response has been sent in full. */
  answered(): number;
  countOf(operation: string): number;
  onWire(handler: OnWire): void;
  /** A database of lookups without a store, and the scans in it. */
  readonly db: Kysely<Schema>;
  readonly scans: Scans;
  close(): Promise<void>;
}

export async function startDesk(
  options: Partial<AccountServiceOptions> & { clock?: Clock; callsPerMinute?: number } = {},
): Promise<DeskHarness> {
  const clock = options.clock ?? systemClock;
  const service = await createAccountService({
    file: ':memory:',
    random: systemRandom,
    log: silentLog,
    limits: { minute: -1, day: -1 },
    ...options,
    clock,
  });
  const calls: Call[] = [];
  let answered = 0;
  let onWire: OnWire = () => undefined;

  const wire = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    void pass(request, response).catch(() => response.destroy());
  });
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const variables = new URLSearchParams(body.toString('utf8'));
    const call = { operation: `${variables.get('section')}/${variables.get('action')}`, variables };
    calls.push(call);
    response.once('finish', () => {
      answered += 1;
    });
    const own = await onWire(call);
    if (own === 'reset') {
      response.socket?.destroy();
    } else if (own !== undefined) {
      response.writeHead(200, { 'Content-Type': 'text/xml' }).end(own);
    } else {
      const { url, method, headers } = request;
      const again = Object.assign(Readable.from(body.length > 0 ? [body] : []), { url, method, headers });
      await service.handle(again as unknown as IncomingMessage, response);
    }
  }
  const port = await listen(wire);
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-desk-'));
  const databaseFile = join(folder, 'scans.db');
  await copyMigrated(databaseFile);
  const engine = new SqliteEngine(databaseFile, chooseSqliteDriver());
  engine.exec('pragma synchronous = off');
  const db = new Kysely<Schema>({ dialect: sqliteDialect(engine) });
  const apiUrl = `http://127.0.0.1:${port}/api/`;
  const accounts = createAccounts({
    apiUrl,
    generatorUrl: `http://127.0.0.1:${port}/barcode/api/`,
    cache: (namespace, { ttlMs }) => new Keyv({ namespace, ttl: ttlMs }),
    clock,
    random: systemRandom,
    log: silentLog,
    metrics: createMetrics(),
    callsPerMinute: options.callsPerMinute ?? 1000,
  });
  return {
    account: accounts.open(service.keys.demo),
    accounts,
    apiKey: service.keys.demo,
    apiUrl,
    calls,
    answered: () => answered,
    countOf: (operation) => calls.filter((call) => call.operation === operation).length,
    onWire: (handler) => {
      onWire = handler;
    },
    ...{ db, scans: createScans(db) },
    close: async () => {
      await accounts.close();
      await db.destroy();
      rmSync(folder, { recursive: true, force: true });
      wire.closeAllConnections();
      await new Promise((resolve) => wire.close(resolve));
      await service.close();
    },
  };
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export function xml(content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><xml><status>1</status>${content}</xml>`;
}

export function xmlError(code: string, text = 'no'): string {
  return `<?xml version="1.0" encoding="UTF-8"?><xml><status>0</status><error code="${code}">${text}</error></xml>`;
}

/** A `scans/retrieve` response. `at`: seconds after a fixed noon. */
export function scansXml(scans: readonly { id: number; at: number; value?: string }[], count = scans.length): string {
  const one = ({ id, at, value = 'A' }: (typeof scans)[number]) => {
    const time = new Date(Date.UTC(2026, 2, 1, 12) + at * 1000).toISOString().slice(0, 19).replace('T', ' ');
    return `<scan id="${id}"><device id="1">D</device><service id="2">S</service><user id="3">U</user><status>1</status><tid>${value}</tid><result>ok</result><timestamp>${time}</timestamp></scan>`;
  };
  return xml(`<count>${count}</count>${scans.map(one).join('')}`);
}
