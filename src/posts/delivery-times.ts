/** Delivery timeouts and limits, in milliseconds unless named otherwise, and the retry backoff. */
import type { Random } from '../clock.js';

export interface DeliveryTimes {
  /** Without a heartbeat for this long, a worker loses its leases. */
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  /** Poll interval for work without a notification: another instance's posts, a crashed worker's queues. */
  readonly pollMs: number;
  /** Minimum time between two polls, however often `notify` is called. */
  readonly pollGapMs: number;
  /** How long to leave an unconfirmed post alone before searching: it may still be on its way. */
  readonly unconfirmedMs: number;
  /** A post that is not found is searched for again this long after it was sent: a history may lag. */
  readonly absentAfterMs: number;
  /** A post that Slack calls a duplicate, but that is not found for this long, becomes a dead letter. */
  readonly duplicateGiveUpMs: number;
  readonly postTimeoutMs: number;
  readonly leastBackoffMs: number;
  readonly longestBackoffMs: number;
  /** After this long without success a post becomes a dead letter. */
  readonly giveUpMs: number;
  /** How long a blocked queue waits after its first refused attempt, the second and so on; the last one holds then. */
  readonly blockedMs: readonly number[];
  /** A worker keeps its lease on a queue whose next post is due this soon. */
  readonly holdMs: number;
  /** Queues in work at once. */
  readonly parallel: number;
  /** A queue with more waiting scans' posts than this merges them into digests. */
  readonly digestAbove: number;
  /** A queue whose first post has waited this long merges them too, if more than `digestOldAbove` wait. */
  readonly digestAfterMs: number;
  readonly digestOldAbove: number;
  /** Minimum time between two updates of a thread parent. */
  readonly parentEveryMs: number;
  /** Minimum time between two updates of a yielding message; `yieldingBusyMs`: while other posts wait. */
  readonly yieldingEveryMs: number;
  readonly yieldingBusyMs: number;
  /** Time between two updates in one workspace, of all instances: Slack allows about 50 a minute. */
  readonly editGapMs: number;
}

/**
 * A crashed worker's post is searched for after lease + poll + wait at most: 8 s. If absent, it is sent again 15 s
 * after it was sent.
 */
export const usualTimes: DeliveryTimes = {
  leaseMs: 4_000,
  heartbeatMs: 1_000,
  pollMs: 1_000,
  pollGapMs: 20,
  unconfirmedMs: 3_000,
  absentAfterMs: 15_000,
  duplicateGiveUpMs: 5 * 60_000,
  postTimeoutMs: 15_000,
  leastBackoffMs: 1_000,
  longestBackoffMs: 30 * 60_000,
  giveUpMs: 24 * 3_600_000,
  blockedMs: [60_000, 5 * 60_000, 30 * 60_000],
  holdMs: 1_500,
  parallel: 50,
  digestAbove: 20,
  digestAfterMs: 5 * 60_000,
  digestOldAbove: 3,
  parentEveryMs: 4_000,
  yieldingEveryMs: 3_000,
  yieldingBusyMs: 10_000,
  editGapMs: 1_200,
};

/** Delay after the n-th failure: doubled each time, with jitter, so that channels do not retry in step. */
export function backoff(
  failures: number,
  times: Pick<DeliveryTimes, 'leastBackoffMs' | 'longestBackoffMs'>,
  random: Random,
): number {
  const { leastBackoffMs: least, longestBackoffMs: longest } = times;
  const full = least * 2 ** Math.min(failures - 1, 40);
  return Math.round(Math.max(least, Math.min(longest, full * (0.75 + 0.5 * random.fraction()))));
}
