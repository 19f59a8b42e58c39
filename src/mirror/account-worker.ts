/**
 * The keeper of one account's mirror, while it holds the lease: passes over its databases, changes of its scans, full
 * passes over its scans. The three take turns at the account's calls (`call-share.ts`).
 */
import type { Clock } from '../clock.js';
import type { Account, Accounts, Database } from '../codereadr/types.js';
import { codeOf } from '../errors.js';
import type { Log } from '../log.js';
import type { Metrics } from '../metrics.js';
import type { Store } from '../workspaces/types.js';
import { type CallShare, createCallShare } from './call-share.js';
import { LeaseLost } from './errors.js';
import { readAll, readChanges, type ScanPass } from './passes/scan-pass.js';
import { listDatabases, passValues } from './passes/value-pass.js';
import { mirrorSettings } from './settings.js';
import type { AccountMirror, AccountMirrors, MirrorFields } from './tables/accounts.js';
import type { DatabaseMirrorStore } from './tables/databases.js';
import type { MirroredScans } from './tables/scans.js';
import type { MirrorTimes } from './times.js';

export interface AccountWorkerDeps {
  readonly store: Pick<Store, 'workspaces'>;
  readonly accounts: Accounts;
  readonly mirrors: AccountMirrors;
  readonly databases: DatabaseMirrorStore;
  readonly scans: MirroredScans;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Unique among all processes that ever run on this store. */
  readonly worker: string;
  readonly times: MirrorTimes;
  readonly pageSize: number;
  readonly share: number;
  /** Databases that relays validate with: they are mirrored in any case. */
  readonly ofRelays: () => ReadonlySet<string>;
  /** Sleeps until something may have changed, at most that long. */
  readonly idle: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** How old the account's list of databases, with their numbers of values, may be. */
const listedMs = 4 * 60_000;
/** Clocks differ: changes that the account dates before the first pass are read again. */
const clocksDifferMs = 60 * 60_000;
const dayMs = 24 * 60 * 60_000;
/** Without a choice of databases, lookups search that many. */
const mostDatabases = 10;

/** Keeps the mirror until the signal, or until the lease or the connection is lost. */
export async function keepMirror(deps: AccountWorkerDeps, claimed: AccountMirror, stop: AbortSignal): Promise<void> {
  const { store, accounts, mirrors, databases, scans, clock, log, metrics, worker, times } = deps;
  const { id, owner, connectedAt } = claimed;
  let mirror = claimed;
  const over = new AbortController();
  const signal = AbortSignal.any([stop, over.signal]);

  const change = async (fields: MirrorFields): Promise<void> => {
    if (!(await mirrors.update(worker, id, { ...fields, claimed_until: clock.now() + times.leaseMs }))) {
      throw new LeaseLost('another process keeps this mirror');
    }
  };
  const share: CallShare = createCallShare({
    ...{ clock, share: deps.share, state: claimed.share, signal },
    onCall: () => metrics.mirrorCalls.inc(),
    save: ({ nextCallAt, budget, budgetAt }) =>
      mirrors.update(worker, id, { next_call_at: nextCallAt, budget, budget_at: budgetAt }),
  });

  const open = async (): Promise<Account> => {
    const [apiKey, connection] = await Promise.all([
      store.workspaces.apiKey(owner),
      store.workspaces.connection(owner),
    ]);
    if (apiKey === undefined || connection?.connectedAt !== connectedAt) {
      throw new LeaseLost('the account is no longer connected');
    }
    return accounts.open(apiKey);
  };

  const heartbeat = async (): Promise<void> => {
    await clock.sleep(times.leaseMs / 3, signal);
    await change({});
  };

  let listed: { at: number; databases: readonly Database[] } | undefined;
  const listOf = async (account: Account): Promise<readonly Database[]> => {
    if (!listed || clock.now() - listed.at >= listedMs) {
      const at = clock.now();
      listed = { at, databases: await listDatabases(account, share) };
    }
    return listed.databases;
  };

  /** Registers what lookups search, and drops what was left out. */
  const chooseDatabases = async (account: Account): Promise<void> => {
    const settings = await store.workspaces.settings(owner);
    const { without } = mirrorSettings(settings);
    const chosen = settings.lookupDatabases ?? (await listOf(account)).slice(0, mostDatabases).map((one) => one.id);
    for (const databaseId of chosen.filter((one) => !without.includes(one))) {
      await databases.require(owner, databaseId, clock.now());
    }
    for (const one of await databases.of(owner)) {
      if (without.includes(one.databaseId) && !deps.ofRelays().has(one.databaseId)) {
        await databases.drop(one.id);
      }
    }
  };

  const values = async (): Promise<void> => {
    const account = await open();
    await chooseDatabases(account);
    const now = clock.now();
    // What is usable nowhere yet comes first, and what relays wait for before that.
    const [next] = (await databases.of(owner))
      .filter(({ dueAt }) => dueAt <= now)
      .sort((a, b) => Number(a.fetchedAt !== undefined) - Number(b.fetchedAt !== undefined) || a.dueAt - b.dueAt);
    if (!next) {
      await deps.idle(times.pollMs, signal);
      return;
    }
    try {
      const dueAt = (calls: number) => clock.now() + Math.max(times.freshMs, calls * times.perCallMs);
      const { pageSize } = deps;
      const pass = { clock, log, databases, share, account, connectedAt };
      await passValues(pass, next, await listOf(account), { pageSize, dueAt });
      metrics.copyRounds.inc({ outcome: 'done' });
    } catch (error) {
      rethrow(error);
      listed = undefined;
      const code = codeOf(error);
      metrics.copyRounds.inc({ outcome: code });
      log.warn({ database: next.databaseId, err: error, code }, 'a database could not be mirrored');
      await databases.fail(next, { code, dueAt: clock.now() + backoff(next.failures) });
    }
  };

  const backoff = (failures: number) =>
    Math.min(times.longestBackoffMs, times.leastBackoffMs * 2 ** Math.min(failures, 20));

  /** What stops all three: the lease is lost, or the process stops. */
  const rethrow = (error: unknown): void => {
    if (signal.aborted || error instanceof LeaseLost) {
      throw error;
    }
  };

  const sinceOf = (days: number) => clock.now() - days * dayMs;
  const passOf = async (since: number): Promise<ScanPass> => ({
    ...{ clock, scans, share, mirrorId: id, since, round: () => mirror.round + 1 },
    account: await open(),
  });
  const update = async (fields: MirrorFields, known: Partial<AccountMirror>): Promise<void> => {
    await change(fields);
    mirror = { ...mirror, ...known };
  };

  const forgetScans = async (): Promise<void> => {
    if (mirror.scansSince !== undefined) {
      const nothing = {
        scans_since: null,
        scans_at: null,
        cursor_at: null,
        filled: 0,
        scans: 0,
        read: 0,
        full_due_at: 0,
      };
      await change(nothing);
      const { scansSince: _, scansAt: __, cursorAt: ___, ...left } = mirror;
      mirror = { ...left, filled: false, scans: 0, read: 0, fullDueAt: 0 };
      await scans.deleteAll(id);
    }
  };

  let failures = 0;
  const changes = async (): Promise<void> => {
    const { scanDays } = mirrorSettings(await store.workspaces.settings(owner));
    if (scanDays === 0 || mirror.cursorAt === undefined) {
      await deps.idle(times.pollMs, signal);
      return;
    }
    const startedAt = clock.now();
    try {
      const cursorAt = await readChanges(await passOf(sinceOf(scanDays)), mirror.cursorAt, deps.pageSize);
      await update({ scans_at: startedAt, cursor_at: cursorAt, last_code: null }, { scansAt: startedAt, cursorAt });
      failures = 0;
      await deps.idle(times.changesMs, signal);
    } catch (error) {
      rethrow(error);
      const code = codeOf(error);
      log.warn({ err: error, code }, 'changes of scans could not be read');
      await change({ last_code: code });
      await deps.idle(backoff(failures++), signal);
    }
  };

  let fullFailures = 0;
  const full = async (): Promise<void> => {
    const { scanDays } = mirrorSettings(await store.workspaces.settings(owner));
    if (scanDays === 0) {
      await forgetScans();
      await deps.idle(times.pollMs, signal);
      return;
    }
    const since = sinceOf(scanDays);
    // A longer span than before needs what is behind it; a shorter one is cut at the end of the next pass.
    const further = mirror.scansSince !== undefined && since < mirror.scansSince - dayMs;
    if (clock.now() < mirror.fullDueAt && !further) {
      await deps.idle(times.pollMs, signal);
      return;
    }
    const startedAt = clock.now();
    try {
      const cursorAt = mirror.cursorAt ?? startedAt - clocksDifferMs;
      const scansSince = mirror.scansSince ?? since;
      await update({ cursor_at: cursorAt, scans_since: scansSince, read: 0 }, { cursorAt, scansSince });
      const round = mirror.round;
      const { size, calls } = await readAll(await passOf(since), deps.pageSize, (read) => change({ read }));
      await scans.deleteStale(id, round);
      await scans.deleteBefore(id, since);
      const fullDueAt = clock.now() + Math.max(times.fullMs, calls * times.perCallMs);
      const scansAt = mirror.scansAt ?? startedAt;
      await update(
        {
          round: round + 1,
          filled: 1,
          scans: size,
          read: 0,
          scans_since: since,
          scans_at: scansAt,
          full_due_at: fullDueAt,
        },
        { round: round + 1, filled: true, scans: size, read: 0, scansSince: since, scansAt, fullDueAt },
      );
      fullFailures = 0;
      log.info({ size, calls }, 'an account’s scans were mirrored');
    } catch (error) {
      rethrow(error);
      const code = codeOf(error);
      log.warn({ err: error, code }, 'an account’s scans could not be mirrored');
      await change({ last_code: code });
      await deps.idle(backoff(fullFailures++), signal);
    }
  };

  const repeat = async (step: () => Promise<void>): Promise<void> => {
    while (!signal.aborted) {
      try {
        await step();
      } catch (error) {
        if (signal.aborted || error instanceof LeaseLost) {
          over.abort();
          return;
        }
        log.error({ err: error, code: codeOf(error) }, 'a step of the mirror failed');
        await deps.idle(times.leastBackoffMs, signal);
      }
    }
  };

  await Promise.all([values, changes, full, heartbeat].map(repeat));
  await mirrors.update(worker, id, { claimed_by: null, claimed_until: null });
}
