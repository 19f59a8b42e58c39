/**
 * Owns what can wait: audit rows past their days are thrown away every few hours, scans are filed by device every minute.
 * Refuses to hold anything up: a failure waits for the next time.
 */
import type { Clock } from './clock.js';
import { codeOf } from './errors.js';
import type { Log } from './log.js';
import type { DeviceScans, Store } from './store/index.js';

export interface Housekeeping {
  start(): void;
  stop(): Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1000;
const tidyEveryMs = dayMs / 4;
const fileEveryMs = 60_000;

export function createHousekeeping(deps: {
  readonly store: Pick<Store, 'audit'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly devices: Pick<DeviceScans, 'file'>;
  /** Audit rows older than so many days go. */
  readonly auditDays: number;
}): Housekeeping {
  const { store, devices, clock, log } = deps;
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function tidy(): Promise<void> {
    const dropped = await store.audit.prune(clock.now() - deps.auditDays * dayMs);
    if (dropped > 0) {
      log.info({ dropped }, 'old audit rows were dropped');
    }
  }

  async function every(ms: number, failed: string, work: () => Promise<unknown>): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await work();
      } catch (error) {
        log.warn({ err: error, code: codeOf(error) }, failed);
      }
      await clock.sleep(ms, stopping.signal).catch(() => undefined);
    }
  }

  async function run(): Promise<void> {
    await Promise.all([
      every(tidyEveryMs, 'old audit rows could not be dropped', tidy),
      every(fileEveryMs, 'scans could not be filed by device', () => devices.file()),
    ]);
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
