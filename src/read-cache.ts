/** Cached reads: an answer serves for a time, a read in flight is shared, and a failure is not kept. */
import { LRUCache } from 'lru-cache';
import { type Clock, steadyNow } from './clock.js';

/** What a cache measures ages by: a wrong clock neither keeps nor drops its entries. Times are in milliseconds. */
export const agedBy = (clock: Clock, ttl: number) => ({
  ttl,
  ttlResolution: 0,
  perf: { now: () => steadyNow(clock) },
});

/** Resolves to the answer kept for the key, else to that of `read`. Rejects as `read` does. */
export type ReadCache<Answer> = (key: string, read: () => Promise<Answer>) => Promise<Answer>;

/** At most `max` answers, each for `ttl` milliseconds. */
export function createReadCache<Answer extends object>(
  clock: Clock,
  { max, ttl }: { readonly max: number; readonly ttl: number },
): ReadCache<Answer> {
  const cache = new LRUCache<string, Answer, () => Promise<Answer>>({
    max,
    ...agedBy(clock, ttl),
    // Whoever asked gets the answer, though the key is dropped meanwhile for a newer one.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context }) => context(),
  });
  return (key, read) => cache.forceFetch(key, { context: read });
}
