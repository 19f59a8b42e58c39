/** Delivery timeouts and limits, in milliseconds unless named otherwise, and the retry backoff. */
import type { Random } from '../../clock.js';

export interface DeliveryTimes {
  /** Without a sign of life for so long, a worker's lanes are free for others. */
  readonly leaseMs: number;
  readonly aliveEveryMs: number;
  /** How often to look for work that nobody told of: another instance's posts, a dead worker's lanes. */
  readonly lookMs: number;
  /** Between two looks at least, however often somebody calls. */
  readonly lookGapMs: number;
  /** How long a post in doubt is left alone before its channel is asked: it may still be on its way. */
  readonly doubtMs: number;
  /** A post that is not found is looked for again so long after it was sent, before it is sent anew: a history may lag. */
  readonly absentAfterMs: number;
  /** What is said to be there already, and is not found for so long, is set aside. */
  readonly duplicateGiveUpMs: number;
  readonly postTimeoutMs: number;
  readonly leastBackoffMs: number;
  readonly longestBackoffMs: number;
  /** After so long without success a post is set aside. */
  readonly giveUpMs: number;
  /** A lane with something to do that soon is kept meanwhile. */
  readonly holdMs: number;
  /** Lanes at once. */
  readonly parallel: number;
  /** A lane with more scans' posts than this waiting folds them into digests. */
  readonly foldAbove: number;
  /** So does one whose first has waited for so long, where more than `foldOldAbove` wait. */
  readonly foldAfterMs: number;
  readonly foldOldAbove: number;
  /** Between two changes of a card at least: it counts. */
  readonly cardEveryMs: number;
  /** Between two changes of messages in one workspace at least: Slack allows about 50 a minute. */
  readonly editGapMs: number;
  /** How many values a digest shows. */
  readonly digestShows: number;
}

/** A dead worker's post is looked for after lease + look + doubt at most: 8 s. If it is not there, it is sent anew 15 s after it was sent. */
export const usualTimes: DeliveryTimes = {
  leaseMs: 4_000,
  aliveEveryMs: 1_000,
  lookMs: 1_000,
  lookGapMs: 20,
  doubtMs: 3_000,
  absentAfterMs: 15_000,
  duplicateGiveUpMs: 5 * 60_000,
  postTimeoutMs: 15_000,
  leastBackoffMs: 1_000,
  longestBackoffMs: 30 * 60_000,
  giveUpMs: 24 * 3_600_000,
  holdMs: 1_500,
  parallel: 50,
  foldAbove: 20,
  foldAfterMs: 5 * 60_000,
  foldOldAbove: 3,
  cardEveryMs: 4_000,
  editGapMs: 1_000,
  digestShows: 10,
};

/** How long to wait after the n-th failure: twice as long each time, no two the same, so that channels do not march in step. */
export function backoff(
  failures: number,
  times: Pick<DeliveryTimes, 'leastBackoffMs' | 'longestBackoffMs'>,
  random: Random,
): number {
  const { leastBackoffMs: least, longestBackoffMs: longest } = times;
  const full = least * 2 ** Math.min(failures - 1, 40);
  return Math.round(Math.max(least, Math.min(longest, full * (0.75 + 0.5 * random.fraction()))));
}
