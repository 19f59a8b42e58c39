import { describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../src/clock.js';
import { createAdmissionPurge } from '../src/counters/admissions.js';
import { createIds } from '../src/database/ids.js';
import { silentLog } from '../src/log.js';
import { createMaintenance } from '../src/maintenance.js';
import { createScanCommit } from '../src/relay/commit/index.js';
import { withdrawUninstalledPosts } from '../src/relay/relays/erase.js';
import { createRelayStore } from '../src/relay/relays/relay-rows.js';
import { createPrune } from '../src/relay/retention/retention.js';
import { createRemovedRulePurge } from '../src/relay/rules/removed-rules.js';
import { openTestStore, sqliteDatabases } from './helpers/databases.js';
import { relayRecord } from './helpers/relay.js';

const day = 24 * 60 * 60 * 1000;
const owner = { installation: 'T0HARBOUR', team: 'T0HARBOUR' };
const now = Date.UTC(2026, 10, 21);
const nothingLeft = () => Promise.resolve();

describe('housekeeping', () => {
  const databases = sqliteDatabases();

  it('housekeeping deletes audit entries past AUDIT_DAYS and no newer entries, and runs its other steps', async () => {
    const store = await openTestStore(await databases.fresh());
    for (const [what, age] of [
      ['old', 401],
      ['recent', 399],
    ] as const) {
      await store.audit.add(owner, { at: now - age * day, who: 'U1', where: 'C1', what, detail: {}, outcome: 'ok' });
    }
    const clock = {
      now: () => now,
      sleep: (_ms: number, signal?: AbortSignal) =>
        new Promise<void>((_, fail) => {
          if (signal?.aborted) fail(signal.reason);
          signal?.addEventListener('abort', () => fail(signal.reason));
        }),
    };
    const withdrawnAt: number[] = [];
    const withdrawUninstalledPosts = (at: number) => Promise.resolve(withdrawnAt.push(at));
    const admissionPurges: number[] = [];
    const purged: number[] = [];
    const uninstalled = (before: number) => Promise.resolve(purged.push(before));
    let removed = 0;
    const removedRules = () => Promise.resolve(++removed);
    const housekeeping = createMaintenance({
      ...{ store, removedRules, withdrawUninstalledPosts, uninstalled, clock, log: silentLog },
      ...{
        expiredRecords: nothingLeft,
        expiredWatches: nothingLeft,
        oldRefusals: nothingLeft,
        removedRelays: nothingLeft,
        exportChunks: nothingLeft,
        unusedTriggers: nothingLeft,
      },
      ...{ prune: () => Promise.reject(new Error('nobody asked for it')), auditDays: 400, scanDays: 0 },
      oldAdmissions: () => Promise.resolve(void admissionPurges.push(now)),
    });
    housekeeping.start();
    await expect
      .poll(async () => (await store.audit.list(owner, { limit: 10 })).map((row) => row.what))
      .toEqual(['recent']);
    await expect.poll(() => removed).toBe(1);
    await expect.poll(() => withdrawnAt).toEqual([now]);
    await expect.poll(() => purged).toEqual([now - 7 * day]);
    await expect.poll(() => admissionPurges.length).toBe(1);
    await housekeeping.stop();
    await store.close();
  });

  it('a clock that is set ahead deletes nothing before the new time has lasted an hour', async () => {
    const minute = 60_000;
    let [ahead, passed] = [0, 0];
    let wake = (): void => undefined;
    const clock = {
      now: () => now + ahead + passed,
      steady: () => passed,
      sleep: (_ms: number, signal?: AbortSignal) =>
        new Promise<void>((done, fail) => {
          const before = wake;
          wake = () => {
            before();
            done();
          };
          signal?.addEventListener('abort', () => fail(signal.reason));
        }),
    };
    const cutoffs: number[] = [];
    const audit = {
      prune: (before: number) => Promise.resolve(cutoffs.push(before)).then(() => 0),
      add: () => Promise.resolve(),
      list: () => Promise.resolve([]),
    };
    const housekeeping = createMaintenance({
      ...{ store: { audit }, clock, log: silentLog, auditDays: 400, scanDays: 0, prune: () => Promise.reject() },
      ...{ expiredRecords: nothingLeft, expiredWatches: nothingLeft, oldRefusals: nothingLeft },
      ...{
        removedRelays: nothingLeft,
        unusedTriggers: nothingLeft,
        removedRules: nothingLeft,
        exportChunks: nothingLeft,
      },
      ...{ withdrawUninstalledPosts: nothingLeft, oldAdmissions: nothingLeft, uninstalled: () => Promise.resolve(0) },
    });
    housekeeping.start();
    const polls = async (n: number) => await expect.poll(() => cutoffs.length).toBe(n);
    /** Lets minutes pass on a clock that is ahead, then every poller look again. */
    const pass = async (minutes: number, aheadBy: number, n: number) => {
      [ahead, passed] = [aheadBy, passed + minutes * minute];
      wake();
      await polls(n);
    };
    await polls(1);
    await pass(1, 400 * day, 2);
    await pass(59, 400 * day, 3);
    expect(cutoffs).toEqual([0, 1, 60].map((minutes) => now - 400 * day + minutes * minute));
    await pass(1, 400 * day, 4);
    expect(cutoffs[3]).toBe(now + 61 * minute);
    await pass(1, 0, 5);
    expect(cutoffs[4]).toBe(now - 400 * day + 62 * minute);
    await housekeeping.stop();
  });

  it('housekeeping runs its steps again after they failed', async () => {
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
          if (tries.length < 3) setImmediate(done);
          else signal?.addEventListener('abort', () => fail(signal.reason));
        }),
    };
    const busy = () => Promise.reject(new Error('busy'));
    const pruned: number[] = [];
    const prune = (before: number) => {
      pruned.push(before);
      return busy();
    };
    const housekeeping = createMaintenance({
      ...{
        store: { audit },
        ...{ prune, removedRules: busy, withdrawUninstalledPosts: busy, uninstalled: busy },
        ...{
          expiredRecords: busy,
          expiredWatches: busy,
          oldRefusals: busy,
          removedRelays: busy,
          oldAdmissions: busy,
          unusedTriggers: busy,
          exportChunks: busy,
        },
        clock,
        log: silentLog,
      },
      ...{ auditDays: 1, scanDays: 2 },
    });
    housekeeping.start();
    await expect.poll(() => tries.length).toBe(3);
    await housekeeping.stop();
    expect(tries[0]).toBe(now - day);
    expect(pruned.length).toBeGreaterThan(1);
    expect(pruned[0]).toBe(now - 2 * day);
  });

  it('housekeeping deletes scans older than SCAN_DAYS, and no scans if SCAN_DAYS is 0', async () => {
    const keptScans = async (scanDays: number) => {
      const store = await openTestStore(await databases.fresh());
      await createRelayStore(store.db).add(relayRecord({ id: 'r' }), { id: 's', hash: 'f'.repeat(64) });
      for (const age of [0, 29, 31]) {
        const at = now - age * day;
        const id = createIds({ now: () => at, sleep: () => Promise.resolve() }, systemRandom)();
        await createScanCommit(store).commit(
          [
            {
              ...{ id, relayId: 'r', secretId: 's', receivedAt: at, tid: `${age} days`, submit: [] },
              ...{ answers: [], properties: [] },
            },
          ],
          () => ({ valid: true, text: '', posts: [] }),
        );
      }
      let slept = 0;
      const clock = {
        now: () => now,
        sleep: (_ms: number, signal?: AbortSignal) =>
          new Promise<void>((_, fail) => {
            slept += 1;
            signal?.addEventListener('abort', () => fail(signal.reason));
          }),
      };
      const housekeeping = createMaintenance({
        ...{
          store,
          expiredRecords: nothingLeft,
          expiredWatches: nothingLeft,
          oldRefusals: nothingLeft,
          removedRelays: nothingLeft,
          removedRules: createRemovedRulePurge(store, systemClock),
          exportChunks: nothingLeft,
          unusedTriggers: nothingLeft,
          withdrawUninstalledPosts: (at) => withdrawUninstalledPosts(store, at),
          uninstalled: () => Promise.resolve(0),
          clock,
          log: silentLog,
        },
        oldAdmissions: createAdmissionPurge(store, systemClock, { lateHours: 24 }),
        ...{ prune: createPrune(store, systemClock), auditDays: 400, scanDays },
      });
      housekeeping.start();
      await expect.poll(() => slept).toBe(scanDays > 0 ? 12 : 11);
      await housekeeping.stop();
      const rows = await store.db.selectFrom('received_scans').select('tid').orderBy('id', 'desc').execute();
      await store.close();
      return rows.map(({ tid }) => tid);
    };
    expect(await keptScans(30)).toEqual(['0 days', '29 days']);
    expect(await keptScans(0)).toEqual(['0 days', '29 days', '31 days']);
  });
});
