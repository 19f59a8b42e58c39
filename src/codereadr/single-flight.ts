/**
 * Single flight of reads: concurrent identical ones share one call. A caller that aborts ends only its own wait. The
 * call is aborted when no caller waits any more.
 */
import { AccountError } from './types.js';

export interface Flight {
  /** The call's outcome for one caller. @throws AccountError `account.aborted` when its signal aborts */
  join(signal?: AbortSignal): Promise<unknown>;
}

export interface CallFlights {
  get(key: string): Flight | undefined;
  start(key: string, fly: (signal: AbortSignal) => Promise<unknown>): Flight;
  /** Aborts its signal when a call of that key starts: whoever waits to start one can join instead. */
  awaitStart(key: string): { readonly signal: AbortSignal; readonly stop: () => void };
  /** Before and after a change: later callers make a new call; those already waiting still get their answer. */
  ground(): void;
  readonly size: number;
}

export function createFlights(): CallFlights {
  const open = new Map<string, Flight>();
  const expecting = new Map<string, Set<AbortController>>();
  let size = 0;

  function start(key: string, fly: (signal: AbortSignal) => Promise<unknown>): Flight {
    const end = new AbortController();
    let passengers = 0;
    const land = () => {
      if (open.get(key) === flight) {
        open.delete(key);
      }
    };
    size += 1;
    const outcome = fly(end.signal).finally(() => {
      size -= 1;
      land();
    });
    // Every caller may have left by then; each has its own promise.
    outcome.catch(() => {});
    const leave = () => {
      passengers -= 1;
      if (passengers === 0) {
        land();
        end.abort();
      }
    };
    const flight: Flight = { join: (signal) => passenger(outcome, leave, signal, () => (passengers += 1)) };
    open.set(key, flight);
    for (const waiting of expecting.get(key) ?? []) {
      waiting.abort();
    }
    return flight;
  }

  return {
    get: (key) => open.get(key),
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
    ground: () => open.clear(),
    get size() {
      return size;
    },
  };
}

async function passenger(
  outcome: Promise<unknown>,
  leave: () => void,
  signal: AbortSignal | undefined,
  board: () => void,
): Promise<unknown> {
  board();
  if (!signal) {
    return await outcome;
  }
  return await new Promise((resolve, reject) => {
    const giveUp = () => {
      leave();
      reject(new AccountError('account.aborted', 'the caller gave up', { cause: signal.reason }));
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
