/** A polled step of keeping an account's mirror, the dependencies of all steps, and their pauses after failures. */
import type { Clock } from '../../clock.js';
import type { Log } from '../../log.js';
import type { Metrics } from '../../metrics.js';
import type { Store } from '../../workspaces/types.js';
import type { CallShare } from '../call-share.js';
import { LeaseLost } from '../errors.js';
import type { ScanPass } from '../passes/scan-pass.js';
import type { DatabaseMirrorStore } from '../tables/databases.js';
import type { MirroredScans } from '../tables/scans.js';
import type { MirrorTimes } from '../times.js';
import type { Lease } from './lease.js';

export interface MirrorStep {
  poll(): Promise<void>;
  /** The milliseconds until the step is due; undefined where it is due with the next poll. */
  untilDueMs?(): number | undefined;
  /** Called after a change: pauses and failures no longer count. */
  wake?(): void;
}

export interface MirrorStepDeps {
  readonly store: Pick<Store, 'workspaces'>;
  readonly databases: DatabaseMirrorStore;
  readonly scans: MirroredScans;
  readonly lease: Lease;
  readonly share: CallShare;
  /** The last full pass over the scans that began: its number marks the scans met since. */
  readonly lastPass: { round: number };
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly times: MirrorTimes;
  /** How many values or scans one call asks for at first. */
  readonly pageSize: number;
  /** Databases that relays validate with: the mirror copies them in any case. */
  readonly relayDatabases: () => ReadonlySet<string>;
  /** Aborted when the lease is lost or the process stops. */
  readonly signal: AbortSignal;
}

/** Rethrows an error that ends all steps, and is no failure of a single one. */
export function rethrowIfOver({ signal }: Pick<MirrorStepDeps, 'signal'>, error: unknown): void {
  if (signal.aborted || error instanceof LeaseLost) {
    throw error;
  }
}

/** Opens a pass over scans. @param since scans made earlier are not kept */
export async function openScanPass(deps: MirrorStepDeps, since: number): Promise<ScanPass> {
  const { lease, clock, scans, share, lastPass } = deps;
  const account = await lease.open();
  return { clock, scans, share, account, since, mirrorId: lease.mirror.id, round: () => lastPass.round };
}

export function daysAgo(clock: Clock, days: number): number {
  return clock.now() - days * 24 * 60 * 60_000;
}

export function backoffMs(times: MirrorTimes, failures: number): number {
  return Math.min(times.longestBackoffMs, times.leastBackoffMs * 2 ** Math.min(failures, 20));
}

export function createBackoff(clock: Clock, times: MirrorTimes) {
  let failures = 0;
  let retryAt = 0;
  return {
    waiting: (): boolean => clock.now() < retryAt,
    failed(): void {
      retryAt = clock.now() + backoffMs(times, failures);
      failures += 1;
    },
    reset(): void {
      failures = 0;
      retryAt = 0;
    },
  };
}
