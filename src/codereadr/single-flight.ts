/**
 * Owns "the same read in flight is one call": who asks what is already being asked waits for that answer.
 * One caller's giving up ends nobody else's wait; the call itself ends when nobody waits any more.
 */
import { AccountError } from './types.js';

export interface Flight {
  /** The flight's outcome for one caller. @throws AccountError `account.aborted` when its signal says so. */
  join(signal?: AbortSignal): Promise<unknown>;
}

export interface CallFlights {
  get(key: string): Flight | undefined;
  start(key: string, fly: (signal: AbortSignal) => Promise<unknown>): Flight;
  /** Aborts its signal when a flight of that key starts: whoever waits to start one can join instead. */
  awaitStart(key: string): { readonly signal: AbortSignal; readonly stop: () => void };
  /** Something changes: whoever asks from now on asks anew. Those who wait already are answered still. */
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
    // Every passenger may have left by then; each has its own promise.
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
