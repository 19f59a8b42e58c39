/** Time and randomness as injected dependencies, so that tests control them. */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

export interface Clock {
  /** The time in milliseconds since the Unix epoch. */
  now(): number;
  /** The time in milliseconds on a monotonic clock with an arbitrary origin. `now` is used where a clock has none. */
  steady?(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The time by the clock’s monotonic side, to measure how long work takes. */
export function steadyNow(clock: Clock): number {
  return clock.steady?.() ?? clock.now();
}

export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  sleep: async (ms, signal) => {
    await wait(ms, undefined, signal ? { signal } : undefined);
  },
};

export interface Random {
  /** `size` cryptographically secure random bytes. */
  bytes(size: number): Buffer;
  /** A number in [0, 1), for jitter. */
  fraction(): number;
}

export const systemRandom: Random = {
  bytes: (size) => randomBytes(size),
  fraction: () => randomBytes(4).readUInt32BE() / 2 ** 32,
};
