import { describe, expect, it } from 'vitest';
import { createHousekeeping } from '../src/housekeeping.js';
import { silentLog } from '../src/log.js';
import { openTestStore, sqliteDatabases } from './helpers/databases.js';

const day = 24 * 60 * 60 * 1000;
const owner = { installation: 'T0HARBOUR', team: 'T0HARBOUR' };
const now = Date.UTC(2026, 10, 21);

describe('housekeeping', () => {
  const databases = sqliteDatabases();

  it('drops audit rows past their days and keeps the others, and files scans by device', async () => {
    const store = await openTestStore(await databases.fresh());
    for (const [what, age] of [
      ['old', 401],
      ['recent', 399],
    ] as const) {
      await store.audit.add(owner, { at: now - age * day, who: 'U1', where: 'C1', what, detail: {}, outcome: 'ok' });
    }
    let filed = 0;
    const devices = { file: () => Promise.resolve(++filed) };
    const clock = {
      now: () => now,
      sleep: (_ms: number, signal?: AbortSignal) =>
        new Promise<void>((_, fail) => {
          if (signal?.aborted) fail(signal.reason);
          signal?.addEventListener('abort', () => fail(signal.reason));
        }),
    };
    const housekeeping = createHousekeeping({ store, devices, clock, log: silentLog, auditDays: 400 });
    housekeeping.start();
    await expect
      .poll(async () => (await store.audit.list(owner, { limit: 10 })).map((row) => row.what))
      .toEqual(['recent']);
    await expect.poll(() => filed).toBe(1);
    await housekeeping.stop();
    await store.close();
  });

  it('goes on after a failure', async () => {
    const tries: number[] = [];
    const audit = {
      prune: (before: number) => {
        tries.push(before);
        return Promise.reject(new Error('busy'));
      },
      add: () => Promise.resolve(),
      list: () => Promise.resolve([]),
    };
    const clock = {
      now: () => now,
      sleep: (_ms: number, signal?: AbortSignal) =>
        new Promise<void>((done, fail) => {
          signal?.addEventListener('abort', () => fail(signal.reason));
          if (tries.length < 3) setImmediate(done);
        }),
    };
    const devices = { file: () => Promise.reject(new Error('busy')) };
    const housekeeping = createHousekeeping({ store: { audit }, devices, clock, log: silentLog, auditDays: 1 });
    housekeeping.start();
    await expect.poll(() => tries.length).toBe(3);
    await housekeeping.stop();
    expect(tries[0]).toBe(now - day);
  });
});
