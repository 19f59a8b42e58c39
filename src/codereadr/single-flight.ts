/**
 * Single flight of reads: concurrent identical ones share one call. A caller that aborts ends only its own wait. The
 * call is aborted when no caller waits any more.
 */
import { AccountError } from './types.js';

export interface Flight<T> {
  /** The outcome for one caller. @throws AccountError `account.aborted` when its signal aborts */
  join(signal?: AbortSignal): Promise<T>;
}

export interface SingleFlight<T> {
  /** Joins the running call of that key, or starts one; a caller that has already aborted starts none. */
  share(key: string, signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  get(key: string): Flight<T> | undefined;
  start(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T>;
  /** Aborts its signal when a call of that key starts: a caller waiting to start one can join instead. */
  awaitStart(key: string): { readonly signal: AbortSignal; readonly stop: () => void };
  /** Before and after a change: later callers make a new call; those already waiting still get their answer. */
  forget(): void;
  /** Calls that run, forgotten ones included. */
  readonly size: number;
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const running = new Map<string, Flight<T>>();
  const expecting = new Map<string, Set<AbortController>>();
  let size = 0;

  function start(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const end = new AbortController();
    let callers = 0;
    const remove = () => {
      if (running.get(key) === flight) {
        running.delete(key);
      }
    };
    size += 1;
    const outcome = work(end.signal).finally(() => {
      size -= 1;
      remove();
    });
    // Every caller may have left by then; each has its own promise.
    outcome.catch(() => {});
    const leave = () => {
      callers -= 1;
      if (callers === 0) {
        remove();
        end.abort();
      }
    };
    const flight: Flight<T> = {
      join(signal) {
        callers += 1;
        return signal ? untilAborted(outcome, signal, leave) : outcome;
      },
    };
    running.set(key, flight);
    for (const waiting of expecting.get(key) ?? []) {
      waiting.abort();
    }
    return flight;
  }

  return {
    async share(key, signal, work) {
      if (signal?.aborted) {
        throw aborted(signal);
      }
      return await (running.get(key) ?? start(key, work)).join(signal);
    },
    get: (key) => running.get(key),
    start,
    awaitStart: (key) => {
      const controller = new AbortController();
      const all = expecting.get(key) ?? new Set();
      expecting.set(key, all.add(controller));
      return {
        signal: controller.signal,
        stop: () => {
          all.delete(controller);
          if (all.size === 0 && expecting.get(key) === all) {
            expecting.delete(key);
          }
        },
      };
    },
    forget: () => running.clear(),
    get size() {
      return size;
    },
  };
}

function untilAborted<T>(outcome: Promise<T>, signal: AbortSignal, leave: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      leave();
      reject(aborted(signal));
    };
    if (signal.aborted) {
      giveUp();
      return;
    }
    signal.addEventListener('abort', giveUp, { once: true });
    const off = () => signal.removeEventListener('abort', giveUp);
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
