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

/** How long a time that the clock jumped ahead to must last before deletions and the ends of posts go by it. */
const settlesAfterMs = 3_600_000;
/** The clock's step from which it has jumped, for deletions. */
const jumpMs = 60_000;

/**
 * The clock for deletions and the ends of posts: a jump ahead counts once it has lasted an hour by the monotonic side,
 * for the time may be wrong, and what is deleted is gone. A clock without a monotonic side is taken as it is.
 * `ofPosts`: a step of less than an hour is none, and the time at the start is not believed either; after that, an hour
 * by the time itself is enough.
 */
export function createSettledClock(clock: Clock, { ofPosts = false } = {}): Clock {
  if (!clock.steady) {
    return clock;
  }
  const steady = () => steadyNow(clock);
  const offsetNow = () => clock.now() - steady();
  let offset = ofPosts ? Number.NEGATIVE_INFINITY : offsetNow();
  let jumped: { readonly at: number; readonly to: number } | undefined;
  const now = (): number => {
    const seen = offsetNow();
    jumped =
      seen - offset < (ofPosts ? settlesAfterMs : jumpMs) ? undefined : (jumped ?? { at: steady(), to: clock.now() });
    const isBelieved = Number.isFinite(offset);
    const lasted = jumped && Math.max(steady() - jumped.at, ofPosts && isBelieved ? clock.now() - jumped.to : 0);
    if (lasted === undefined || lasted >= settlesAfterMs) {
      offset = seen;
      jumped = undefined;
    }
    // Whole milliseconds, as `now` of every clock: PostgreSQL takes no others.
    return Math.floor(steady() + offset);
  };
  // The hour of a time that is not believed begins now.
  now();
  return { now, steady, sleep: (ms, signal) => clock.sleep(ms, signal) };
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
