/** Delivery timeouts and limits, in milliseconds unless named otherwise. */
import type { Backoff } from '../database/backoff.js';

export interface DeliveryTimes extends Backoff {
  /** How long a lease lasts without a heartbeat of its worker. */
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  /** The poll interval for work without a notification: another instance's posts, a crashed worker's queues. */
  readonly pollMs: number;
  /** The least time between two polls, however often `notify` is called. */
  readonly pollGapMs: number;
  /** How long to leave an unconfirmed post alone before searching: it may still be on its way. */
  readonly unconfirmedMs: number;
  /** The time from an attempt to the first search whose empty result is believed: a channel's history may lag. */
  readonly absentAfterMs: number;
  /** How long a post that Slack calls a duplicate is searched for before it becomes a dead letter. */
  readonly duplicateGiveUpMs: number;
  readonly postTimeoutMs: number;
  /** How long after its first attempt a post, in whatever state, becomes a dead letter. */
  readonly giveUpMs: number;
  /** How long a blocked queue waits after its first refused attempt, the second and so on; the last wait repeats. */
  readonly blockedMs: readonly number[];
  /** How soon the next post of a queue must be due for a worker to keep its lease. */
  readonly holdMs: number;
  /** How many queues are in work at once. */
  readonly parallel: number;
  /** How many scans' posts may wait in a queue before they are merged into digests. */
  readonly digestAbove: number;
  /** How long a queue's first post may wait before posts are merged, too, if more than `digestOldAbove` wait. */
  readonly digestAfterMs: number;
  readonly digestOldAbove: number;
  /** The least time between two updates of a message that counts, as a thread parent or an alert does. */
  readonly parentEveryMs: number;
  /** The least time between two updates of a yielding message; `yieldingBusyMs`: while other posts wait. */
  readonly yieldingEveryMs: number;
  readonly yieldingBusyMs: number;
  /** The time between two updates in one workspace, of all instances: Slack allows about 50 a minute. */
  readonly editGapMs: number;
}

/** The longest wait for a retry, whatever Slack asks for. A due time further ahead comes from a wrong clock. */
export const longestWaitMs = 30 * 60_000;

/**
 * A crashed worker's post is searched for after lease + poll + wait at most: 8 s. If the search does not find it, it is
 * sent again 15 s after the first try.
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
  longestBackoffMs: longestWaitMs,
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
