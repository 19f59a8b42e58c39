/**
 * Owns time and randomness as things that are passed in, so that tests decide them.
 * Nothing else in `src/` calls Date.now, Math.random or setTimeout for a decision.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds that pass on a clock that nobody sets, from any beginning. Where there is none, `now` has to do. */
  steady?(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  sleep: async (ms, signal) => {
    await wait(ms, undefined, signal ? { signal } : undefined);
  },
};

export interface Random {
  /** `size` unpredictable bytes, fit for secrets. */
  bytes(size: number): Buffer;
  /** A number in [0, 1), for jitter. */
  fraction(): number;
}

export const systemRandom: Random = {
  bytes: (size) => randomBytes(size),
  fraction: () => randomBytes(4).readUInt32BE() / 2 ** 32,
};
