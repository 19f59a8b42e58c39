/**
 * The background work of all mirrors on this store: finds the accounts that are connected, claims their mirrors, keeps
 * each while the lease lasts, erases those of accounts that are no longer connected.
 */
import { codeOf } from '../errors.js';
import { type Owner, ownerKey } from '../ownership.js';
import type { Store } from '../workspaces/types.js';
import { type AccountWorkerDeps, keepMirror } from './account-worker.js';

export interface RequiredDatabase {
  readonly owner: Owner;
  readonly databaseId: string;
}

export interface MirrorWorker {
  start(): void;
  stop(): Promise<void>;
  /** A relay, a setting or the connection has changed: poll at once. */
  wake(): void;
}

export interface MirrorWorkerDeps extends Omit<AccountWorkerDeps, 'ofRelays' | 'idle' | 'store'> {
  readonly store: Pick<Store, 'workspaces'>;
  /** The databases that relays validate with. */
  readonly required: () => Promise<readonly RequiredDatabase[]>;
}

/** Mirrors that one process keeps at most. */
const mostMirrors = 500;
const sweepEveryMs = 60 * 60_000;

export function createMirrorWorker(deps: MirrorWorkerDeps): MirrorWorker {
  const { store, mirrors, databases, clock, log, metrics, times, worker } = deps;
  const stopping = new AbortController();
  const active = new Map<number, Promise<void>>();
  const sleepers = new Set<AbortController>();
  let ofRelays: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  let sweptAt: number | undefined;
  let woken = false;
  let running: Promise<void> | undefined;

  const wake = (): void => {
    woken = true;
    for (const sleeper of sleepers) {
      sleeper.abort();
    }
  };

  const idle = async (ms: number, signal: AbortSignal): Promise<void> => {
    const sleeper = new AbortController();
    sleepers.add(sleeper);
    await clock.sleep(ms, AbortSignal.any([sleeper.signal, signal])).catch(() => undefined);
    sleepers.delete(sleeper);
  };

  const requireForRelays = async (): Promise<void> => {
    const now = clock.now();
    const byOwner = new Map<string, Set<string>>();
    for (const { owner, databaseId } of await deps.required()) {
      const known = byOwner.get(ownerKey(owner)) ?? new Set();
      if (!known.has(databaseId)) {
        byOwner.set(ownerKey(owner), known.add(databaseId));
        await databases.require(owner, databaseId, now);
      }
    }
    ofRelays = byOwner;
    for (const unused of await databases.unused(now - times.unusedMs)) {
      await databases.drop(unused.id);
    }
  };

  /** One mirror for each connection; what is of another connection, or of none, is erased. */
  const matchConnections = async (): Promise<void> => {
    const connections = await store.workspaces.connections();
    const connected = new Map(connections.map((one) => [ownerKey(one.owner), one]));
    const there = new Set<string>();
    for (const { id, owner, connectedAt } of await mirrors.all()) {
      const key = ownerKey(owner);
      if (connected.get(key)?.connectedAt === connectedAt) {
        there.add(key);
      } else {
        await mirrors.drop(id);
        for (const database of await databases.of(owner)) {
          await databases.drop(database.id);
        }
      }
    }
    for (const { owner, connectedAt } of connections) {
      if (!there.has(ownerKey(owner))) {
        await mirrors.create(owner, connectedAt, clock.now());
      }
    }
    if (sweptAt === undefined || Math.abs(clock.now() - sweptAt) >= sweepEveryMs) {
      sweptAt = clock.now();
      await mirrors.sweep();
    }
  };

  const claimAll = async (): Promise<void> => {
    while (active.size < mostMirrors && !stopping.signal.aborted) {
      const now = clock.now();
      const mirror = await mirrors.claim(worker, now, now + times.leaseMs, [...active.keys()]);
      if (!mirror) {
        return;
      }
      const none: ReadonlySet<string> = new Set();
      const own = { ...deps, idle, ofRelays: () => ofRelays.get(ownerKey(mirror.owner)) ?? none };
      const keeping = keepMirror(own, mirror, stopping.signal)
        .catch((error: unknown) => log.error({ err: error, code: codeOf(error) }, 'a mirror could not be kept'))
        .finally(() => active.delete(mirror.id));
      active.set(mirror.id, keeping);
    }
  };

  const measure = async (): Promise<void> => {
    const now = clock.now();
    const values = await databases.totals();
    metrics.mirrorSize.set({ part: 'values' }, values.size);
    metrics.mirrorAge.set({ part: 'values' }, values.oldest === undefined ? 0 : (now - values.oldest) / 1_000);
    const all = await mirrors.all();
    metrics.mirrorSize.set(
      { part: 'scans' },
      all.reduce((sum, { scans }) => sum + scans, 0),
    );
    const oldest = Math.min(now, ...all.flatMap(({ scansAt }) => scansAt ?? []));
    metrics.mirrorAge.set({ part: 'scans' }, (now - oldest) / 1_000);
  };

  const eraseAll = async (): Promise<void> => {
    for (const { id } of await mirrors.all()) {
      await mirrors.drop(id);
    }
    for (const { id } of await databases.unused(Number.MAX_SAFE_INTEGER)) {
      await databases.drop(id);
    }
  };

  const run = async (): Promise<void> => {
    if (deps.share === 0) {
      await eraseAll().catch((error: unknown) =>
        log.error({ err: error, code: codeOf(error) }, 'what was mirrored could not be deleted'),
      );
      return;
    }
    while (!stopping.signal.aborted) {
      woken = false;
      try {
        await matchConnections();
        await requireForRelays();
        await claimAll();
        await measure();
      } catch (error) {
        log.error({ err: error, code: codeOf(error) }, 'mirrors could not be polled');
        woken = false;
      }
      if (!woken) {
        await idle(times.pollMs, stopping.signal);
      }
    }
    await Promise.all(active.values());
  };

  return {
    start() {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      wake();
      await running;
    },
    wake,
  };
}
