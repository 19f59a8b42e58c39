/**
 * Rate limit for each key, a relay or a person, so that one sender cannot starve the others. Each process has a token
 * bucket for each key, to protect itself.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.js';

/** Takes one request from the bucket of a key. False: over the limit. */
export type TryAcquire = (key: string) => boolean;

export interface RateOptions {
  /** The sustained rate, in requests a second. */
  readonly perSecond: number;
  /** The most requests in a burst. */
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

const maxBuckets = 10_000;

export function createRateLimit(deps: { clock: Clock } & RateOptions): TryAcquire {
  const { clock, perSecond, burst } = deps;
  const buckets = new LRUCache<string, Bucket>({ max: maxBuckets });

  return (key) => {
    const now = clock.now();
    let bucket = buckets.get(key);
    if (!bucket) {
      bucket = { tokens: burst, filledAt: now };
      buckets.set(key, bucket);
    }
    // A clock that was set back takes nothing from a bucket.
    const passed = Math.max(0, now - bucket.filledAt);
    bucket.tokens = Math.min(burst, bucket.tokens + (passed * perSecond) / 1_000);
    bucket.filledAt = now;
    if (bucket.tokens < 1) {
      return false;
    }
    bucket.tokens -= 1;
    return true;
  };
}
