/**
 * Background upkeep: old, expired and orphaned rows are deleted, every minute to every six hours. A failed run waits for
 * the next one. A jump of the clock ahead deletes nothing before it has lasted an hour.
 */
import { type Clock, createSettledClock } from './clock.js';
import type { Purge } from './database/pace.js';
import { codeOf } from './errors.js';
import type { Log } from './log.js';
import { createPoller, type Poller } from './poller.js';
import type { createPrune } from './relay/retention/retention.js';
import type { AuditStore } from './workspaces/types.js';
import type { createUninstalledPurge } from './workspaces/uninstalled.js';

const dayMs = 24 * 60 * 60 * 1000;
const pruneEveryMs = dayMs / 4;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How long relays, scans, posts and audit of an uninstalled app wait for a new installation. */
const uninstalledDays = 7;

export function createMaintenance(deps: {
  readonly store: { readonly audit: Pick<AuditStore, 'prune'> };
  readonly clock: Clock;
  readonly log: Log;
  readonly expiredRecords: Purge;
  readonly expiredWatches: Purge;
  readonly oldRefusals: Purge;
  readonly removedRelays: Purge;
  readonly removedRules: Purge;
  readonly exportChunks: Purge;
  readonly unusedTriggers: Purge;
  readonly withdrawUninstalledPosts: (now: number) => Promise<unknown>;
  /** Prunes scans and posts, unless `scanDays` is 0. */
  readonly prune: ReturnType<typeof createPrune>;
  readonly oldAdmissions: Purge;
  readonly uninstalled: ReturnType<typeof createUninstalledPurge>;
  /** How many days audit rows are kept. */
  readonly auditDays: number;
  /** How many days scans are kept; 0 keeps all. */
  readonly scanDays: number;
}) {
  const { store, log } = deps;
  const clock = createSettledClock(deps.clock);

  async function pruneAudit(): Promise<void> {
    const dropped = await store.audit.prune(clock.now() - deps.auditDays * dayMs);
    if (dropped > 0) {
      log.info({ dropped }, 'old audit entries deleted');
    }
  }

  async function pruneScans(stopping: AbortSignal): Promise<void> {
    const dropped = await deps.prune(clock.now() - deps.scanDays * dayMs, stopping);
    if (dropped.scans + dropped.posts > 0) {
      log.info(dropped, 'old scans and posts deleted');
    }
  }

  async function purgeUninstalled(stopping: AbortSignal): Promise<void> {
    const purged = await deps.uninstalled(clock.now() - uninstalledDays * dayMs, stopping);
    if (purged > 0) {
      log.info({ purged }, 'what uninstalled apps had left was deleted');
    }
  }

  const pollEvery = (everyMs: number, failed: string, poll: (stopping: AbortSignal) => Promise<unknown>): Poller =>
    createPoller({
      clock,
      everyMs,
      poll,
      onFailure: (error) => log.warn({ err: error, code: codeOf(error) }, failed),
    });

  const pollers = [
    pollEvery(pruneEveryMs, 'old audit entries could not be deleted', pruneAudit),
    ...(deps.scanDays > 0 ? [pollEvery(pruneEveryMs, 'old scans could not be deleted', pruneScans)] : []),
    pollEvery(pruneEveryMs, 'old admissions could not be deleted', deps.oldAdmissions),
    pollEvery(hourMs, 'what an uninstalled app left could not be deleted', purgeUninstalled),
    pollEvery(hourMs, 'what exports left could not be deleted', deps.exportChunks),
    pollEvery(minuteMs, 'expired records could not be deleted', deps.expiredRecords),
    pollEvery(minuteMs, 'expired watches and mutes could not be deleted', deps.expiredWatches),
    pollEvery(minuteMs, 'counts of refused scans could not be deleted', deps.oldRefusals),
    pollEvery(minuteMs, 'what removed relays left could not be deleted', deps.removedRelays),
    pollEvery(minuteMs, 'counters of removed rules could not be deleted', deps.removedRules),
    pollEvery(minuteMs, 'URLs of workflows that no rule starts could not be deleted', deps.unusedTriggers),
    pollEvery(minuteMs, 'posts of an uninstalled app could not be moved to the dead letters', () =>
      deps.withdrawUninstalledPosts(clock.now()),
    ),
  ];

  return {
    start: (): void => {
      for (const poller of pollers) {
        poller.start();
      }
    },
    stop: async (): Promise<void> => {
      await Promise.all(pollers.map((poller) => poller.stop()));
    },
  };
}
