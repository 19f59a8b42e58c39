/**
 * Refresh of database mirrors: which databases relays need, when each is due, one worker at a time. It uses the
 * account's calls as background work, behind people, and at most a share of them.
 */

import type { Clock } from '../../../clock.js';
import { mayLackSeparators } from '../../../codereadr/barcode-equality.js';
import { retrieveDatabases, showValues } from '../../../codereadr/operations/index.js';
import {
  type Account,
  AccountError,
  type Accounts,
  type Database,
  type DatabaseValue,
} from '../../../codereadr/types.js';
import { codeOf } from '../../../errors.js';
import type { Log } from '../../../log.js';
import type { Metrics } from '../../../metrics.js';
import { type Owner, ownerKey } from '../../../ownership.js';
import type { Store } from '../../../workspaces/types.js';
import { RelayError } from '../../intake/errors.js';
import { createRelaysById } from '../../relays/by-id.js';
import { readSettings } from '../../relays/relay.js';
import { lostSpellings, separator } from './lost-spellings.js';
import { mirrorKey } from './mirror-key.js';
import type { MirrorRecord, MirrorStore } from './mirror-table.js';
import { PagesDoNotOverlap, readPages } from './pages.js';

/** State of a mirror, as people see it. */
export interface MirrorState {
  readonly databaseId: string;
  readonly name?: string;
  readonly size: number;
  /** Whether the database takes `abc` and `ABC` for two values. */
  readonly caseSensitive?: boolean;
  /** When the fetch of its current content began. Undefined: the first fetch is under way. */
  readonly fetchedAt?: number;
  /** Why the last fetch failed, if it did. */
  readonly lastCode?: string;
}

export interface DatabaseMirrors {
  start(): void;
  stop(): Promise<void>;
  /** A relay's settings have changed: poll at once. */
  wake(): void;
  /** The owner's mirrors that relays validate against. */
  states(owner: Owner): Promise<readonly MirrorState[]>;
  /** Somebody changed the database: fetch it again soon. */
  refresh(owner: Owner, databaseId: string): Promise<void>;
}

export interface MirrorTimes {
  /** Poll interval for due mirrors. */
  readonly pollMs: number;
  /** Minimum time between two fetches. */
  readonly freshMs: number;
  /** Added for each call a fetch takes: large databases are fetched less often. */
  readonly perCallMs: number;
  readonly leaseMs: number;
  /** How long a mirror that no relay needs is kept. */
  readonly unusedMs: number;
  readonly leastBackoffMs: number;
  readonly longestBackoffMs: number;
}

export const defaultMirrorTimes: MirrorTimes = {
  pollMs: 15_000,
  freshMs: 5 * 60_000,
  perCallMs: 60_000,
  leaseMs: 5 * 60_000,
  unusedMs: 60 * 60_000,
  leastBackoffMs: 60_000,
  longestBackoffMs: 30 * 60_000,
};

export interface DatabaseMirrorsDeps {
  readonly store: Store;
  readonly copies: MirrorStore;
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Unique among all processes that ever run on this store. */
  readonly instanceId: string;
  readonly times?: Partial<MirrorTimes>;
  readonly pageSize?: number;
}

/** About 1 MB of XML, decoded piece by piece: a million values are a hundred calls. */
const defaultPageSize = 10_000;
const minPageSize = 200;
/** The share of the account's calls a minute that fetches may use; more for a mirror that is not usable yet. */
const callShare = 1 / 3;
const firstCallShare = 2 / 3;
/** Fetches wait for calls to become free rather than fail at the first full minute. */
const quotaTimeoutMs = 3 * 60_000;
const minuteMs = 60_000;
/** How old the account's list of databases, with their numbers of values, may be. */
const listedMs = 4 * 60_000;
const parallel = 4;

export function createDatabaseMirrors(deps: DatabaseMirrorsDeps): DatabaseMirrors {
  const { store, copies, accounts, clock, log, metrics, instanceId: worker } = deps;
  const times = { ...defaultMirrorTimes, ...deps.times };
  const relays = createRelaysById(store.db);
  const stopping = new AbortController();
  const listed = new WeakMap<Account, { at: number; databases: readonly Database[] }>();
  const active = new Map<number, Promise<void>>();
  let interrupt: () => void = () => undefined;
  let woken = false;
  let running: Promise<void> | undefined;

  const listOf = async (account: Account): Promise<readonly Database[]> => {
    const known = listed.get(account);
    if (known && clock.now() - known.at < listedMs) {
      return known.databases;
    }
    const at = clock.now();
    const { databases } = await account.client.call(retrieveDatabases, {}, background());
    listed.set(account, { at, databases });
    return databases;
  };

  const background = () => ({ priority: 'background', maxWaitMs: quotaTimeoutMs, signal: stopping.signal }) as const;

  /** Spreads calls over the minute, so that people and scans find some free at any moment. */
  const pause = async (account: Account, copy: MirrorRecord): Promise<void> => {
    const limit = account.client.callsLeft().minute.limit ?? 30;
    if (Number.isFinite(limit)) {
      const calls = Math.max(1, Math.floor(limit * (copy.fetchedAt === undefined ? firstCallShare : callShare)));
      await clock.sleep(Math.ceil(minuteMs / calls), stopping.signal);
    }
  };

  /** `holding`: only values that contain it. */
  const pagesOf = (
    account: Account,
    copy: MirrorRecord,
    expected: number | undefined,
    pageSize: number,
    holding?: string,
  ) => {
    let calls = 0;
    const pages = readPages<DatabaseValue>(
      {
        async read(limit, offset) {
          if (calls > 0) {
            await pause(account, copy);
          }
          calls += 1;
          if (!(await copies.extendClaim(worker, copy.id, clock.now() + times.leaseMs))) {
            throw new ClaimLost('another instance has claimed this database copy');
          }
          const page = {
            database_id: copy.databaseId,
            ...(holding === undefined ? {} : { valuelike: holding }),
            limit,
            ...(offset === undefined ? {} : { offset }),
          };
          return (await account.client.call(showValues, page, background())).values;
        },
        name: ({ value }) => value,
        expected,
      },
      pageSize,
    );
    return { pages, calls: () => calls };
  };

  const fetch = async (copy: MirrorRecord, account: Account, connectedAt: number, pageSize: number): Promise<void> => {
    const fetchedAt = clock.now();
    const database = (await listOf(account)).find(({ id }) => id === copy.databaseId);
    if (!database) {
      await copies.clear(copy.id);
      throw new RelayError('relay.database_gone', 'the account has no such database');
    }
    const { name, caseSensitive } = database;
    const begun = await copies.begin(copy, { name, caseSensitive, connectedAt });
    const { pages, calls } = pagesOf(account, begun, database.count, pageSize);
    const separated = pagesOf(account, begun, undefined, pageSize, separator);
    let lost: ReadonlySet<string> | undefined;
    let size = 0;
    for await (const values of pages) {
      size += values.length;
      if (lost === undefined && values.some(({ value }) => mayLackSeparators(value))) {
        await pause(account, begun);
        lost = await lostSpellings(separated.pages, database.count);
      }
      await copies.put(
        begun.id,
        begun.generation,
        values
          .filter(({ value }) => !lost?.has(value))
          .map(({ value, valid, response }) => ({ key: mirrorKey(value, begun), valid, response })),
      );
    }
    const spent = calls() + separated.calls();
    const dueAt = clock.now() + Math.max(times.freshMs, spent * times.perCallMs);
    await copies.finish(begun, { size, fetchedAt, dueAt });
    metrics.copyRounds.inc({ outcome: 'done' });
    log.info({ database: copy.databaseId, size, calls: spent }, 'a database copy was refreshed');
  };

  const refresh = async (copy: MirrorRecord): Promise<void> => {
    const [apiKey, connection] = await Promise.all([
      store.workspaces.apiKey(copy.owner),
      store.workspaces.connection(copy.owner),
    ]);
    if (apiKey === undefined || connection === undefined) {
      // A mirror of the previous account must not validate scans.
      await copies.clear(copy.id);
      throw new RelayError('relay.no_account', 'no account is connected');
    }
    const account = accounts.open(apiKey);
    for (let pageSize = deps.pageSize ?? defaultPageSize; ; pageSize = Math.ceil(pageSize / 4)) {
      try {
        await fetch(copy, account, connection.connectedAt, pageSize);
        return;
      } catch (error) {
        if (!isTooMuch(error) || pageSize <= minPageSize) {
          throw error;
        }
        log.info({ database: copy.databaseId, pageSize, code: codeOf(error) }, 'retrying with smaller pages');
      }
    }
  };

  const work = async (copy: MirrorRecord): Promise<void> => {
    try {
      await refresh(copy);
    } catch (error) {
      if (stopping.signal.aborted || error instanceof ClaimLost) {
        await copies.release(worker, copy.id);
        return;
      }
      const code = error instanceof PagesDoNotOverlap ? 'relay.database_unsteady' : codeOf(error);
      metrics.copyRounds.inc({ outcome: code });
      log.warn({ database: copy.databaseId, err: error, code }, 'a database copy could not be refreshed');
      const wait = Math.min(times.longestBackoffMs, times.leastBackoffMs * 2 ** Math.min(copy.failures, 20));
      await copies.fail(copy, { code, dueAt: clock.now() + wait });
    }
  };

  const registerNeeded = async (): Promise<void> => {
    const now = clock.now();
    const seen = new Set<string>();
    for (const { id, owner, settings } of await relays.withSettings('"database"')) {
      for (const databaseId of databaseIdsIn(id, settings)) {
        const name = `${ownerKey(owner)}:${databaseId}`;
        if (!seen.has(name)) {
          seen.add(name);
          await copies.require(owner, databaseId, now);
        }
      }
    }
    for (const copy of await copies.unused(now - times.unusedMs)) {
      await copies.drop(copy.id);
    }
  };

  /** Settings that cannot be read need no database, and must not block the mirrors of others. */
  const databaseIdsIn = (relay: string, settings: string): readonly string[] => {
    try {
      const { judging } = readSettings(settings);
      return judging.kind === 'database' ? judging.databaseIds : [];
    } catch (error) {
      log.error({ relay, err: error, code: codeOf(error) }, 'a relay’s settings cannot be read');
      return [];
    }
  };

  const poll = async (): Promise<void> => {
    await registerNeeded();
    while (active.size < parallel && !stopping.signal.aborted) {
      const now = clock.now();
      const copy = await copies.claim(worker, now, now + times.leaseMs, [...active.keys()]);
      if (!copy) {
        return;
      }
      const working = work(copy)
        .catch((error: unknown) => log.error({ err: error, code: codeOf(error) }, 'a database copy worker failed'))
        .finally(() => {
          active.delete(copy.id);
          wake();
        });
      active.set(copy.id, working);
    }
  };

  const wake = (): void => {
    woken = true;
    interrupt();
  };

  const sleepUntilWoken = async (): Promise<void> => {
    const sleep = new AbortController();
    const end = () => sleep.abort();
    interrupt = end;
    stopping.signal.addEventListener('abort', end);
    if (!woken && !stopping.signal.aborted) {
      await clock.sleep(times.pollMs, sleep.signal).catch(() => undefined);
    }
    stopping.signal.removeEventListener('abort', end);
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      woken = false;
      try {
        await poll();
      } catch (error) {
        log.error({ err: error, code: codeOf(error) }, 'database copies could not be polled');
        woken = false;
      }
      await sleepUntilWoken();
    }
    await Promise.all(active.values());
  };

  return {
    start() {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
    wake,
    async states(owner) {
      const records = await copies.of(owner);
      return records.map(({ databaseId, name, size, caseSensitive, fetchedAt, lastCode }) => ({
        databaseId,
        size,
        ...(caseSensitive ? { caseSensitive } : {}),
        ...(name === undefined ? {} : { name }),
        ...(fetchedAt === undefined ? {} : { fetchedAt }),
        ...(lastCode === undefined ? {} : { lastCode }),
      }));
    },
    async refresh(owner, databaseId) {
      await copies.makeDue(owner, databaseId, clock.now());
      wake();
    },
  };
}

class ClaimLost extends Error {}

/** The answer is too large, or takes too long. */
function isTooMuch(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'account.slow' || (error instanceof AccountError && error.reason === 'too_large');
}
