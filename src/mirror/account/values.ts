/** Passes over an account's databases: those that lookups search and relays validate with, one after the other. */
import type { Account, Database } from '../../codereadr/types.js';
import { codeOf } from '../../errors.js';
import type { WorkspaceSettings } from '../../workspaces/types.js';
import { listDatabases, passValues } from '../passes/value-pass.js';
import { mirrorSettings } from '../settings.js';
import type { DatabaseMirror } from '../tables/databases.js';
import { backoffMs, createBackoff, type MirrorStep, type MirrorStepDeps, rethrowIfOver } from './step.js';

/** How old the account's list of databases, with their numbers of values, may be. */
const listedMs = 4 * 60_000;
const databaseGone = 'relay.database_gone';
/** How many databases lookups search if none were chosen. */
const mostDatabases = 10;

export function createValueStep(deps: MirrorStepDeps): MirrorStep {
  const { store, databases, share, lease, clock, log, metrics, times, pageSize } = deps;
  const { owner, connectedAt } = lease.mirror;
  const backoff = createBackoff(clock, times);
  let lastList: { at: number; databases: readonly Database[] } | undefined;

  /** Lists the account's databases; each new listing decides which mirrors are no longer needed. */
  const listOf = async (account: Account): Promise<readonly Database[]> => {
    if (!lastList || clock.now() - lastList.at >= listedMs) {
      const at = clock.now();
      const all = await listDatabases(account, share);
      await dropUnneeded(all, at);
      lastList = { at, databases: all };
    }
    return lastList.databases;
  };

  /** The databases that lookups search: an admin's choice, or the first ones. */
  const chosenIds = (settings: WorkspaceSettings, all: readonly Database[]): readonly string[] =>
    settings.lookupDatabases ?? all.slice(0, mostDatabases).map(({ id }) => id);

  /**
   * Drops copies of databases that lookups and relays have not needed for some time. A needed one stays though listings
   * leave it out: the key may only have lost access to it.
   */
  const dropUnneeded = async (listed: readonly Database[], listedAt: number): Promise<void> => {
    const wantedIds = new Set([...chosenIds(await store.workspaces.settings(owner), listed), ...deps.relayDatabases()]);
    for (const { id, databaseId, leftOutAt } of await databases.of(owner)) {
      if (wantedIds.has(databaseId) && listed.some((one) => one.id === databaseId)) {
        await (leftOutAt === undefined ? undefined : databases.leaveOut(id, undefined));
      } else if (leftOutAt === undefined) {
        await databases.leaveOut(id, listedAt);
      } else if (!wantedIds.has(databaseId) && listedAt - leftOutAt >= times.leftOutMs) {
        await databases.drop(id);
      }
    }
  };

  /** Registers the databases that lookups search, and drops those that an admin excluded, but for the relays'. */
  const chooseDatabases = async (account: Account): Promise<void> => {
    const settings = await store.workspaces.settings(owner);
    const { without } = mirrorSettings(settings);
    const databaseIds = chosenIds(settings, settings.lookupDatabases ? [] : await listOf(account));
    for (const databaseId of databaseIds.filter((one) => !without.includes(one))) {
      await databases.require(owner, databaseId, clock.now());
    }
    for (const one of await databases.of(owner)) {
      if (without.includes(one.databaseId) && !deps.relayDatabases().has(one.databaseId)) {
        await databases.drop(one.id);
      }
    }
  };

  /** Records how many values new databases have, so that people see at once how much there is to copy. */
  const announce = async (account: Account): Promise<void> => {
    for (const one of await databases.of(owner)) {
      if (one.fetchedAt === undefined && one.expected === undefined && one.failures === 0) {
        const { count } = (await listOf(account)).find(({ id }) => id === one.databaseId) ?? {};
        await (count === undefined ? undefined : databases.expect(one.id, count));
      }
    }
  };

  /** The next database to pass over: those without a complete copy come first, then the one that is due the longest. */
  const nextDue = async (): Promise<DatabaseMirror | undefined> => {
    const now = clock.now();
    const [next] = (await databases.of(owner))
      .filter(({ dueAt }) => dueAt <= now)
      .sort((a, b) => Number(a.fetchedAt !== undefined) - Number(b.fetchedAt !== undefined) || a.dueAt - b.dueAt);
    return next;
  };

  /**
   * The error code of a pass. A missing database is believed to be deleted once listings lack it for some time, until
   * another listing has it.
   */
  const codeOfPass = (error: unknown, { fetchedAt, lastCode, leftOutAt }: DatabaseMirror): string => {
    const code = codeOf(error);
    if (fetchedAt === undefined || (code !== databaseGone && lastCode !== databaseGone)) {
      return code;
    }
    const isLong = leftOutAt !== undefined && clock.now() - leftOutAt >= times.leftOutMs;
    return isLong ? databaseGone : code === databaseGone ? 'relay.database_unsteady' : code;
  };

  const pass = async (account: Account, mirror: DatabaseMirror): Promise<void> => {
    try {
      const nextDueAfter = (calls: number) => clock.now() + Math.max(times.freshMs, calls * times.perCallMs);
      const parts = { clock, log, databases, share, account, connectedAt };
      const all = await listOf(account);
      if ((await databases.of(owner)).every(({ id }) => id !== mirror.id)) {
        return;
      }
      await passValues(parts, mirror, all, { pageSize, nextDueAfter });
      metrics.copyRounds.inc({ outcome: 'done' });
    } catch (error) {
      rethrowIfOver(deps, error);
      lastList = undefined;
      const code = codeOfPass(error, mirror);
      metrics.copyRounds.inc({ outcome: code });
      log.warn({ database: mirror.databaseId, err: error, code }, 'a database could not be mirrored');
      await databases.fail(mirror, { code, dueAt: clock.now() + backoffMs(times, mirror.failures) });
    }
  };

  /** Prepares the next pass; false: the account could not be asked. */
  const prepare = async (account: Account): Promise<boolean> => {
    try {
      await chooseDatabases(account);
      await announce(account);
      backoff.reset();
      return true;
    } catch (error) {
      rethrowIfOver(deps, error);
      backoff.failed();
      log.warn({ err: error, code: codeOf(error) }, 'the account’s databases could not be listed');
      return false;
    }
  };

  return {
    wake: backoff.reset,
    async poll() {
      while (!backoff.waiting()) {
        deps.signal.throwIfAborted();
        const account = await lease.open();
        const next = (await prepare(account)) ? await nextDue() : undefined;
        if (!next) {
          return;
        }
        await pass(account, next);
      }
    },
  };
}
