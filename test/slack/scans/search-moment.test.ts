/** The buttons below the results of a search for “today”, once that day is over. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { leastId } from '../../../src/database/ids.js';
import { silentLog } from '../../../src/log.js';
import { createScans } from '../../../src/scans/index.js';
import { createScanSearch } from '../../../src/search/index.js';
import { exportSubmitted } from '../../../src/slack/export/actions.js';
import { resultsMessage } from '../../../src/slack/scans/results-message.js';
import { firstPage, furtherPage, pageAfter } from '../../../src/slack/scans/run-search.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { storeReceived } from '../../helpers/scans.js';

const owner = { installation: 'T1', team: 'T1' };
const midnight = Date.UTC(2026, 2, 2);
const account = {
  names: { cachedNames: async () => () => undefined, users: async () => [], services: async () => [] },
};

onEachDatabase('the results of a search for today, after midnight', (databases) => {
  let store: Store;
  let now = midnight - 10_000;
  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    await store.workspaces.connect(owner, 'key', { connectedBy: 'U1', connectedAt: 1 });
    await receive(20, midnight - 60_000);
  });
  afterAll(() => store.close());

  const receive = (count: number, at: number) =>
    storeReceived(
      store,
      Array.from({ length: count }, (_, n) => ({
        ...{ ...owner, id: leastId(at + n), relay_id: 'r', received_at: at + n, tid: `${at}-${n}` },
      })),
    );

  function contextOf() {
    const clock = { ...systemClock, now: () => now };
    const deps = { clock, random: systemRandom, log: silentLog, store, accounts: { open: () => account } };
    const scans = createScans(store.db);
    const searchScans = createScanSearch({ ...deps, scans });
    return { deps: { ...deps, searchScans }, actor: { owner, userId: 'U1' }, person: { zone: 'Etc/UTC' } } as never;
  }

  it('pages, totals and exports of a search for today still show the day of the search after midnight', async () => {
    const shown = await firstPage(contextOf(), { when: 'today' });
    const day = { from: midnight - 86_400_000, to: midnight };
    expect(shown.answer).toMatchObject({ span: day, totals: { valid: 20 } });
    now = midnight + 10_000;
    await receive(3, midnight + 1_000);

    const again = await pageAfter(contextOf(), shown.search!, undefined);
    expect(again.answer.scans).toEqual(shown.answer.scans);
    expect(resultsMessage({ ...again, chart: true })).toEqual(resultsMessage({ ...shown, chart: true }));
    expect(JSON.stringify(resultsMessage({ ...again, chart: true }).blocks)).toContain('2026-03-01 23:59 UTC');
    const older = await pageAfter(contextOf(), shown.search!, shown.answer.next);
    expect(older.answer).toMatchObject({ span: day, scans: { length: 5 } });
    const half = { ...shown.record.answer, searchedTo: { at: midnight - 60_000 + 1_000, skip: 0 } };
    const further = await furtherPage(contextOf(), { ...shown.record, answer: half });
    expect(further.answer).toMatchObject({ span: day, scans: shown.answer.scans });

    const asked: unknown[] = [];
    const context = contextOf() as { deps: object; actor: object };
    await exportSubmitted.spec.run(
      {
        ...context,
        deps: { ...context.deps, exports: { request: async (what: unknown) => asked.push(what) } },
        metadata: { search: shown.search },
        modal: { showOutcome: async () => true },
      } as never,
      { to: 'person', mode: 'exact' },
    );
    expect(asked).toMatchObject([{ what: { kind: 'scans', ...day }, expected: 20 }]);
  });

  it('a search for today that is run again after midnight shows the scans of the new day', async () => {
    expect((await firstPage(contextOf(), { when: 'today' })).answer).toMatchObject({ totals: { valid: 3 } });
  });
});
