/** Single flight of lookups: concurrent identical ones share one, aborted only when its last caller has left. */
import { AccountError } from '../codereadr/types.js';

export interface SingleFlight<T> {
  /** @throws AccountError `account.aborted` when this caller's signal fires first. */
  share(key: string, signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

interface Flight<T> {
  readonly answer: Promise<T>;
  readonly giveUp: AbortController;
  waiting: number;
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>();

  function start(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const giveUp = new AbortController();
    const answer = work(giveUp.signal).finally(() => {
      if (flights.get(key) === flight) {
        flights.delete(key);
      }
    });
    const flight: Flight<T> = { answer, giveUp, waiting: 0 };
    flights.set(key, flight);
    return flight;
  }

  return {
    async share(key, signal, work) {
      if (signal?.aborted) {
        throw gone(signal);
      }
      const flight = flights.get(key) ?? start(key, work);
      flight.waiting += 1;
      try {
        return await Promise.race([flight.answer, ...(signal ? [aborted(signal)] : [])]);
      } finally {
        flight.waiting -= 1;
        if (flight.waiting === 0 && flights.get(key) === flight) {
          flights.delete(key);
          flight.answer.catch(() => undefined);
          flight.giveUp.abort();
        }
      }
    },
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(gone(signal)), { once: true });
  });
}

function gone(signal: AbortSignal): AccountError {
  return new AccountError('account.aborted', 'every caller has left', { cause: signal.reason });
}
