/**
 * The background work of all mirrors on this store: it matches them to the connections, claims those without a lease,
 * and keeps each while its lease lasts.
 */
import { codeOf } from '../errors.js';
import { createPoller } from '../poller.js';
import { type KeepDeps, type Keeping, keepMirror } from './account/keep.js';
import { type ConnectionsDeps, createConnections } from './connections.js';

export interface MirrorWorkerDeps extends Omit<KeepDeps, 'relayDatabases' | 'store'>, ConnectionsDeps {}

/** The most mirrors that one process keeps. */
const mostMirrors = 500;

export function createMirrorWorker(deps: MirrorWorkerDeps) {
  const { mirrors, databases, clock, log, metrics, times, worker } = deps;
  const connections = createConnections(deps);
  const keepings = new Map<number, Keeping>();

  const claimAll = async (stopping: AbortSignal): Promise<void> => {
    while (keepings.size < mostMirrors && !stopping.aborted) {
      const now = clock.now();
      const mirror = await mirrors.claim(worker, now, now + times.leaseMs, [...keepings.keys()]);
      if (!mirror) {
        return;
      }
      const relayDatabases = () => connections.relayDatabases(mirror.owner);
      const keeping = keepMirror({ ...deps, relayDatabases }, mirror, stopping);
      keepings.set(mirror.id, keeping);
      keeping.ended
        .catch((error: unknown) => log.error({ err: error, code: codeOf(error) }, 'a mirror could not be kept'))
        .finally(() => keepings.delete(mirror.id));
    }
  };

  const measure = async (): Promise<void> => {
    const now = clock.now();
    const report = (part: 'values' | 'scans', copies: readonly { readonly size: number; readonly at?: number }[]) => {
      const size = copies.reduce((sum, copy) => sum + copy.size, 0);
      metrics.mirrorSize.set({ part }, size);
      metrics.mirrorAge.set({ part }, (now - Math.min(now, ...copies.flatMap(({ at }) => at ?? []))) / 1_000);
    };
    const [values, scans] = [await databases.all(), await mirrors.all()];
    report(
      'values',
      values.map(({ size, fetchedAt: at }) => ({ size, at })),
    );
    report(
      'scans',
      scans.map(({ scans: size, scansAt: at }) => ({ size, at })),
    );
  };

  const poller = createPoller({
    clock,
    everyMs: times.pollMs,
    async poll(stopping) {
      if (deps.share === 0) {
        await connections.eraseAll();
        return;
      }
      await connections.match();
      await claimAll(stopping);
      await measure();
    },
    onFailure: (error) => log.error({ err: error, code: codeOf(error) }, 'mirrors could not be polled'),
    async closing() {
      await Promise.allSettled([...keepings.values()].map(({ ended }) => ended));
    },
  });

  return {
    start: poller.start,
    stop: poller.stop,
    /** Polls at once: a relay, a setting or the connection has changed. */
    wake(): void {
      poller.wake();
      for (const { wake } of keepings.values()) {
        wake();
      }
    },
  };
}
