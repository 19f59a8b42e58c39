/**
 * The embedded account service (docs/account-api.md): its file, accounts, API, generator and scanner under one request
 * handler. Independent of the app, which reaches it by HTTP only.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock, Random } from '../../clock.js';
import type { Log } from '../../log.js';
import { type Account, createAccess } from './access.js';
import { createApiHandler } from './api-handler.js';
import { createFaults } from './faults.js';
import { createImports } from './imports.js';
import { createSections } from './operations/index.js';
import { type AccountKeys, demoAccountId, fillSample, sampleKeys, setDemoAccount } from './sample/fill.js';
import { createScannerHttp } from './scanner/http.js';
import { createPostman } from './scanner/post.js';
import { createRecords } from './scanner/records.js';
import { createScanner } from './scanner/scanner.js';
import { createUnsentScans } from './scanner/unsent-scans.js';
import { prepareTables } from './store/schema.js';
import { openSqlite } from './store/sqlite.js';

export interface AccountServiceOptions {
  /** The SQLite file; `:memory:` stores nothing. */
  readonly file: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The path prefix of `/api/` and the rest: `/account`. Default: none. */
  readonly prefix?: string;
  /** The demo account's API key; default `sampleKeys.demo`. */
  readonly apiKey?: string;
  /** The demo account's limits of calls; -1 is unlimited. Default 30 a minute, 21,600 a day. */
  readonly limits?: { readonly minute?: number; readonly day?: number };
  /** The scan that `offset=5` begins with: the 5th, as the reference says (default), or the 6th. */
  readonly offsetCounts?: 'from-one' | 'from-zero';
  /** How long a device waits for a service's URL; default the account's 15,000. */
  readonly postTimeoutMs?: number;
  /** The largest file in bytes; a larger one is refused with 105. Default 50 MB. */
  readonly maxFileBytes?: number;
}

export interface AccountService {
  /** Answers everything under the prefix; an unknown path gets 404. Never rejects. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Whether a path (with the prefix) belongs to this service. */
  owns(path: string): boolean;
  readonly keys: AccountKeys;
  /** Replaces the origin of all URLs in the services' settings, for a demo whose app moved. Both end without `/`. */
  moveUrls(from: string, to: string): void;
  /** Resolves when no deferred import is waiting. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Creates the service. @throws when the file cannot be opened or is of another version */
export async function createAccountService(options: AccountServiceOptions): Promise<AccountService> {
  const { clock, random, log, prefix = '' } = options;
  const sql = await openSqlite(options.file);
  const keys: AccountKeys = { ...sampleKeys, demo: options.apiKey ?? sampleKeys.demo };
  if (prepareTables(sql)) {
    await fillSample({ sql, now: clock.now(), random });
  }
  setDemoAccount(sql, keys, options.limits ?? {});

  const inMemory = options.file === ':memory:';
  const folder = inMemory ? mkdtempSync(join(tmpdir(), 'scanning-account-')) : `${options.file}.files`;
  mkdirSync(folder, { recursive: true });
  const access = createAccess({ sql, clock });
  const imports = createImports({ sql, folder, log, now: clock.now });
  const faults = createFaults();
  const sections = createSections({ offsetCounts: options.offsetCounts ?? 'from-one' });
  const readOptions = { spool: folder, maxFileBytes: options.maxFileBytes ?? 50_000_000 };
  const account = () => sql.get<Account>('SELECT * FROM accounts WHERE id = ?', demoAccountId) as Account;
  const unsentScans = createUnsentScans(sql, demoAccountId);
  const postman = createPostman({ clock, timeoutMs: options.postTimeoutMs ?? 15_000, loseAnswer: faults.loseAnswer });
  const scanner = createScanner({
    sql,
    clock,
    account,
    records: createRecords(sql, account),
    unsentScans,
    postman,
    newId: () => random.bytes(9).toString('base64url'),
  });
  const scannerDeps = { sql, clock, access, faults, scanner, unsentScans, account, apiKey: keys.demo };
  const scannerHttp = createScannerHttp(scannerDeps);
  const api = createApiHandler({ sql, clock, random, log, access, imports, faults, sections, read: readOptions });
  imports.resume();

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request.url ?? '', prefix);
    if (path === '/api/') return api(request, response, 'account');
    if (path === '/barcode/api/') return api(request, response, 'generator');
    if (path?.startsWith('/scanner/')) return scannerHttp(request, response, path);
    request.resume();
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=UTF-8' }).end('Not found\n');
  }

  return {
    handle: async (request, response) => {
      try {
        await route(request, response);
      } catch (error) {
        log.error({ err: error }, 'a request of the account service failed');
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end();
      }
    },
    owns: (path) => ['/api/', '/barcode/api/', '/scanner/'].some((own) => (pathOf(path, prefix) ?? '').startsWith(own)),
    keys,
    moveUrls: (from, to) => {
      sql.run('UPDATE services SET settings = replace(settings, ?, ?)', `"${from}/`, `"${to}/`);
    },
    idle: () => imports.idle(),
    close: async () => {
      await imports.close();
      await postman.close();
      sql.close();
      if (inMemory) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The path after the prefix, without its query; `undefined` where it does not begin with the prefix. */
function pathOf(url: string, prefix: string): string | undefined {
  const path = url.split('?', 1)[0] ?? '';
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}
