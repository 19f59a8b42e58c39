/** Totals of the scans that a search has found: by result, and by hour or day of the given zone. Pure but for `add`. */
import { DateTime } from 'luxon';
import { z } from 'zod';
import type { SearchedScan } from './query.js';

const counts = z.object({ valid: z.number(), invalid: z.number(), other: z.number() });

export const searchTotals = z.object({
  ...counts.shape,
  /** `start`: milliseconds, the beginning of the hour or day. */
  buckets: z.array(z.object({ start: z.number(), ...counts.shape })),
});

export type SearchTotals = z.output<typeof searchTotals>;

export function countIn({ valid, invalid, other }: z.output<typeof counts>): number {
  return valid + invalid + other;
}

const dayMs = 24 * 60 * 60_000;

/** The unit of the totals: days for spans longer than two days, else hours. */
export function unitOf(spanMs: number): 'hour' | 'day' {
  return spanMs <= 2 * dayMs ? 'hour' : 'day';
}

export function createTotals(unit: 'hour' | 'day', zone: string, earlierTotals?: SearchTotals) {
  const { buckets: earlierBuckets = [], ...sums } = earlierTotals ?? { valid: 0, invalid: 0, other: 0 };
  const buckets = new Map(earlierBuckets.map((bucket) => [bucket.start, { ...bucket }]));
  let lastBucket: { from: number; to: number } = { from: 0, to: 0 };
  const startOfBucket = (at: number): number => {
    if (at < lastBucket.from || at >= lastBucket.to) {
      const start = DateTime.fromMillis(at, { zone }).startOf(unit);
      lastBucket = { from: start.toMillis(), to: start.plus({ [`${unit}s`]: 1 }).toMillis() };
    }
    return lastBucket.from;
  };
  return {
    add({ at, status }: Pick<SearchedScan, 'at' | 'status'>): void {
      const kind = status === 'valid' || status === 'invalid' ? status : 'other';
      sums[kind] += 1;
      const start = startOfBucket(at);
      const bucket = buckets.get(start) ?? { start, valid: 0, invalid: 0, other: 0 };
      buckets.set(start, bucket);
      bucket[kind] += 1;
    },
    totals: (): SearchTotals => ({
      ...sums,
      buckets: [...buckets.values()].sort((a, b) => a.start - b.start),
    }),
  };
}
