/** The delay after the n-th failure: doubled each time, with jitter, so that what failed together is not tried in step. */
import type { Random } from '../clock.js';

export interface Backoff {
  readonly leastBackoffMs: number;
  readonly longestBackoffMs: number;
}

export function backoff(
  failures: number,
  { leastBackoffMs: least, longestBackoffMs: longest }: Backoff,
  random: Random,
): number {
  const full = least * 2 ** Math.min(failures - 1, 40);
  return Math.round(Math.max(least, Math.min(longest, full * (0.75 + 0.5 * random.fraction()))));
}
