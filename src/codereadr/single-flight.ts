/**
 * Single flight of reads: concurrent identical reads share one call, and its answer while that is kept. A caller that
 * aborts ends only its own wait; the call is aborted once every caller has.
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

interface KeptFlight<T> extends Flight<T> {
  answered: boolean;
  readonly keepMs: number;
}

export function createSingleFlight<T>(clock: Pick<Clock, 'now'> = systemClock) {
  /** The calls under way, and those whose answer is kept. */
  const flightsByKey = new Map<string, KeptFlight<T>>();
  const startSignals = new Map<string, Set<AbortController>>();
  let flightCount = 0;

  function forgetOld(): void {
    for (const [key, { answered, startedAt, keepMs }] of flightsByKey) {
      const age = clock.now() - startedAt;
      if (answered && (age < 0 || age >= keepMs)) {
        flightsByKey.delete(key);
      }
    }
  }

  function get(key: string): Flight<T> | undefined {
    forgetOld();
    return flightsByKey.get(key);
  }

  /** @param keepMs for how long after its start the answer is shared; by default only until it arrives */
  function start(key: string, load: (signal: AbortSignal) => Promise<T>, keepMs = 0): Flight<T> {
    const abort = new AbortController();
    let callers = 0;
    const removeFlight = () => {
      if (flightsByKey.get(key) === flight) {
        flightsByKey.delete(key);
      }
    };
    flightCount += 1;
    const outcome = load(abort.signal).finally(() => {
      flightCount -= 1;
    });
    // Every caller may have left by the time of a failure, which must not be an unhandled rejection.
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
    const flight: KeptFlight<T> = {
      startedAt: clock.now(),
      answered: false,
      keepMs,
      join(signal) {
        callers += 1;
        return signal ? untilAborted(outcome, signal, leaveFlight) : outcome;
      },
    };
    flightsByKey.set(key, flight);
    for (const waiting of startSignals.get(key) ?? []) {
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
      const controllers = startSignals.get(key) ?? new Set();
      startSignals.set(key, controllers.add(controller));
      return {
        signal: controller.signal,
        stop: () => {
          controllers.delete(controller);
          if (controllers.size === 0 && startSignals.get(key) === controllers) {
            startSignals.delete(key);
          }
        },
      };
    },
    /** Before and after a change: later callers make a new call; those already waiting still get their answer. */
    forget: () => flightsByKey.clear(),
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
