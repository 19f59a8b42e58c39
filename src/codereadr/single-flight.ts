/**
 * Single flight of reads: concurrent identical reads share one call, and its answer while that is kept. A caller that
 * aborts ends only its own wait. The call is aborted when no caller waits any more.
 */
import { type Clock, systemClock } from '../clock.js';
import { AccountError } from './types.js';

export interface Flight<T> {
  readonly startedAt: number;
  /** Whether the answer has come. */
  readonly answered: boolean;
  /** The outcome for one caller. @throws AccountError `account.aborted` when the caller's signal aborts */
  join(signal?: AbortSignal): Promise<T>;
}

interface Kept<T> extends Flight<T> {
  answered: boolean;
  readonly keepMs: number;
}

export function createSingleFlight<T>(clock: Pick<Clock, 'now'> = systemClock) {
  const running = new Map<string, Kept<T>>();
  const expecting = new Map<string, Set<AbortController>>();
  let flightCount = 0;

  function forgetOld(): void {
    for (const [key, { answered, startedAt, keepMs }] of running) {
      const age = clock.now() - startedAt;
      if (answered && (age < 0 || age >= keepMs)) {
        running.delete(key);
      }
    }
  }

  function get(key: string): Flight<T> | undefined {
    forgetOld();
    return running.get(key);
  }

  /** @param keepMs for how long after its start the answer is shared; by default only until it arrives */
  function start(key: string, load: (signal: AbortSignal) => Promise<T>, keepMs = 0): Flight<T> {
    const abort = new AbortController();
    let callers = 0;
    const removeFlight = () => {
      if (running.get(key) === flight) {
        running.delete(key);
      }
    };
    flightCount += 1;
    const outcome = load(abort.signal).finally(() => {
      flightCount -= 1;
    });
    // Every caller may have left by the time of the answer; each has its own promise.
    outcome.then(() => {
      flight.answered = true;
      forgetOld();
    }, removeFlight);
    const leaveFlight = () => {
      callers -= 1;
      if (callers === 0) {
        removeFlight();
        abort.abort();
      }
    };
    const flight: Kept<T> = {
      ...{ startedAt: clock.now(), answered: false, keepMs },
      join(signal) {
        callers += 1;
        return signal ? untilAborted(outcome, signal, leaveFlight) : outcome;
      },
    };
    running.set(key, flight);
    for (const waiting of expecting.get(key) ?? []) {
      waiting.abort();
    }
    return flight;
  }

  return {
    /** Joins the running call of a key, or starts one; a caller that has already aborted starts none. */
    async share(key: string, signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      if (signal?.aborted) {
        throw aborted(signal);
      }
      return await (get(key) ?? start(key, work)).join(signal);
    },
    get,
    start,
    /** A signal that aborts when a call of this key starts: a caller waiting to start one can join it instead. */
    awaitStart: (key: string) => {
      const controller = new AbortController();
      const expected = expecting.get(key) ?? new Set();
      expecting.set(key, expected.add(controller));
      return {
        signal: controller.signal,
        stop: () => {
          expected.delete(controller);
          if (expected.size === 0 && expecting.get(key) === expected) {
            expecting.delete(key);
          }
        },
      };
    },
    /** Before and after a change: later callers make a new call; those already waiting still get their answer. */
    forget: () => running.clear(),
    /** The number of calls that run, forgotten ones included. */
    get size() {
      return flightCount;
    },
  };
}

export type SingleFlight<T> = ReturnType<typeof createSingleFlight<T>>;

function untilAborted<T>(outcome: Promise<T>, signal: AbortSignal, onAbort: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = () => {
      onAbort();
      reject(aborted(signal));
    };
    if (signal.aborted) {
      cancel();
      return;
    }
    signal.addEventListener('abort', cancel, { once: true });
    const off = () => signal.removeEventListener('abort', cancel);
    outcome.then(
      (value) => {
        off();
        resolve(value);
      },
      (error) => {
        off();
        reject(error);
      },
    );
  });
}

function aborted(signal: AbortSignal): AccountError {
  return new AccountError('account.aborted', 'the caller gave up', { cause: signal.reason });
}
