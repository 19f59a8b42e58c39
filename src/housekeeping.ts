/**
 * Owns what is thrown away with age: audit rows past their days. Refuses to hold anything up: it works at the start and
 * every few hours, and a failure waits for the next time.
 */
import type { Clock } from './clock.js';
import { codeOf } from './errors.js';
import type { Log } from './log.js';
import type { Store } from './store/index.js';

export interface Housekeeping {
  start(): void;
  stop(): Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1000;
const everyMs = dayMs / 4;

export function createHousekeeping(deps: {
  readonly store: Pick<Store, 'audit'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Audit rows older than so many days go. */
  readonly auditDays: number;
}): Housekeeping {
  const { store, clock, log } = deps;
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function tidy(): Promise<void> {
    try {
      const dropped = await store.audit.prune(clock.now() - deps.auditDays * dayMs);
      if (dropped > 0) {
        log.info({ dropped }, 'old audit rows were dropped');
      }
    } catch (error) {
      log.warn({ err: error, code: codeOf(error) }, 'old audit rows could not be dropped');
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await tidy();
      await clock.sleep(everyMs, stopping.signal).catch(() => undefined);
    }
  }

  return {
    start: () => {
      running = run();
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
