/** Rate limits: token buckets, one per name. */
import type { Clock } from '../../../clock.js';
import { SlackRefusal } from '../refusal.js';

export interface Limits {
  /**
   * Takes a token from the bucket `name`, which holds up to `most` and gains `perMinute`.
   * @throws SlackRefusal ratelimited, with the seconds to wait
   */
  take(name: string, perMinute: number, most: number): void;
}

export function createLimits(clock: Clock): Limits {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    take(name, perMinute, most) {
      const now = clock.now();
      const bucket = buckets.get(name) ?? { left: most, at: now };
      const left = Math.min(most, bucket.left + ((now - bucket.at) / 60_000) * perMinute);
      if (left < 1) {
        buckets.set(name, { left, at: now });
        throw new SlackRefusal('ratelimited', {}, Math.max(1, Math.ceil(((1 - left) / perMinute) * 60)));
      }
      buckets.set(name, { left: left - 1, at: now });
    },
  };
}
