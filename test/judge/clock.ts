/** A clock that only the test moves: whoever sleeps wakes once the time has come, and a slow machine costs no time. */

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

export interface MovableClock {
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Moves the time and wakes who is due. */
  advance(ms: number): void;
  /** When the next sleeper is due; undefined: nobody sleeps. */
  next(): number | undefined;
  /** How often somebody has gone to sleep: it stands still while nothing happens. */
  readonly sleeps: number;
}

export function createMovableClock(start: number): MovableClock {
  let now = start;
  let sleeps = 0;
  const sleepers = new Set<Sleeper>();
  return {
    now: () => now,
    get sleeps() {
      return sleeps;
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        sleeps += 1;
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        const abort = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          due: now + Math.max(0, ms),
          wake: () => {
            signal?.removeEventListener('abort', abort);
            resolve();
          },
        };
        if (ms <= 0) {
          setImmediate(sleeper.wake);
          return;
        }
        sleepers.add(sleeper);
        signal?.addEventListener('abort', abort, { once: true });
      }),
    next() {
      const due = Math.min(...[...sleepers].map((sleeper) => sleeper.due));
      return Number.isFinite(due) ? due : undefined;
    },
    advance(ms) {
      now += ms;
      for (const sleeper of [...sleepers].sort((a, b) => a.due - b.due)) {
        if (sleeper.due <= now) {
          sleepers.delete(sleeper);
          sleeper.wake();
        }
      }
    },
  };
}
