/** Scans that relays received with scan ids: shown from the moment they came, once, and never hidden by another scan. */

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { leastId } from '../../../src/database/ids.js';
import { createCountScans, createLookups, headlineOf } from '../../../src/lookup/index.js';
import { createMirroredScans } from '../../../src/mirror/tables/scans.js';
import { createRelayStore } from '../../../src/relay/relays/relay-rows.js';
import type { ReportContent } from '../../../src/reports/index.js';
import { unusedValue } from '../../../src/sandbox/codereadr/sample/values.js';
import { createScans } from '../../../src/scans/index.js';
import { createScanSearch, type ScanSearchAnswer } from '../../../src/search/index.js';
import { savedSearches } from '../../../src/search/saved-searches.js';
import type { Store } from '../../../src/workspaces/types.js';
import { createShelf, exportsOf, request, until } from '../../exports/world.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { mirrorOf } from '../../helpers/mirror.js';
import { owner, relayRecord } from '../../helpers/relay.js';
import { storeReceived } from '../../helpers/scans.js';
import { countDeps, reportChannel, workerOf } from '../../reports/harness.js';
import { type DeskHarness, startDesk } from '../harness.js';

const now = Date.now();
const today = Math.floor(now / 86_400_000) * 86_400_000;
const text = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
/** A service of the sample account, and a value that database 1021 holds. */
const service = '1201';
const value = unusedValue;
const database = '1021';

interface Received {
  readonly value: string;
  readonly scanId: string | null;
  readonly at: number;
  readonly undated?: boolean;
}

onEachDatabase('a scan that a relay received with a scan id', (databases) => {
  let store: Store;
  let desk: DeskHarness;
  let mirror: ReturnType<typeof mirrorOf>['mirror'];
  let mirrorId: number;

  beforeAll(async () => {
    desk = await startDesk();
    store = await openTestStore(await databases.fresh());
    await store.workspaces.connect(owner, desk.apiKey, { connectedBy: 'U1', connectedAt: 5 });
    await store.db
      .insertInto('mirrors')
      .values({
        ...{ ...owner, round: 1, scans: 0, read: 0, filled: 1, scans_since: 0, scans_at: now },
        ...{ full_due_at: 0, next_call_at: 0, budget_at: 0, connected_at: 5 },
      } as never)
      .execute();
    await createRelayStore(store.db).add({ ...relayRecord({ id: 'r1' }), owner }, { id: 's', hash: 'h'.repeat(64) });
    mirrorId = (await store.db.selectFrom('mirrors').select('id').executeTakeFirstOrThrow()).id;
    mirror = mirrorOf(store, desk.accounts).mirror;
  });
  afterAll(async () => {
    await desk.close();
    await store.close();
  });
  beforeEach(async () => {
    await store.db.deleteFrom('received_scans').execute();
    await store.db.deleteFrom('account_scans').execute();
  });

  const receive = async (scans: readonly Received[]) => {
    await storeReceived(
      store,
      scans.map(({ value: tid, scanId, at, undated }, n) => ({
        ...{ id: leastId(now).slice(0, 10) + String(n).padStart(16, '0'), relay_id: 'r1', ...owner },
        ...{ received_at: now, tid, sid: service, userid: '701', udid: 'u5', scanid: scanId },
        ...{ scanned_at_utc: undated ? null : text(at), answer_text: 'Welcome', finding: 'valid', late: 0 },
      })),
    );
  };
  const copy = (scans: readonly { id: string; value: string; at: number }[]) =>
    createMirroredScans(store).put(
      mirrorId,
      1,
      scans.map(({ at, ...scan }) => ({
        scan: {
          ...{ ...scan, status: 'valid', result: '', timestamp: text(at), service: { id: service, name: 'Gate' } },
          ...{ device: { id: '5', name: '' }, user: { id: '701', name: '' }, answers: [], properties: [] },
        },
        ...{ at, modifiedAt: at },
      })),
    );

  const gate = { id: 'r1', name: 'Back door', serviceIds: [service], databaseIds: [database], once: {} };
  const deps = () => ({
    ...{ clock: systemClock, scans: createScans(store.db), mirror },
    relays: { validators: async () => [gate], secretProperties: async () => [] },
  });
  const lookups = () => createLookups(deps());
  const card = (of: string) => lookups().lookup({ owner, account: desk.account, value: of, databaseIds: [database] });
  const found = async (query = {}) =>
    (await createScanSearch(deps())({
      ...{ owner, account: desk.account, query, zone: 'UTC', budgetMs: 60_000, limit: 100 },
    })) as ScanSearchAnswer;
  const exported = async () => {
    const shelf = createShelf();
    const exports = exportsOf(store, shelf);
    await exports.request(request({ kind: 'scans', query: {}, zone: 'UTC', from: 0, to: now + 10 ** 9 }));
    exports.start();
    await until(() => shelf.told.length > 0);
    await exports.stop();
    return [...shelf.shared.values()].join('').split('\r\n').slice(1, -1);
  };
  const reported = async () => {
    const reporting = { ...countDeps(store, systemClock), mirror, store, random: systemRandom };
    const saving = await savedSearches.save(reporting, owner, {
      name: `All ${Math.random()}`,
      query: {},
      savedBy: 'U1',
    });
    const subject = { search: 'saved' in saving ? saving.saved.id : '' };
    const fields = { channel: 'C1', hour: 23, minute: 59, zone: 'UTC', day: 'today' } as const;
    const { reports } = workerOf(store, systemClock, reportChannel(systemClock), undefined, { mirror });
    const report = await reports.create(owner, { subject, ...fields }, 'U1');
    const { figures } = (await reports.preview(report)) as ReportContent;
    return figures.totals.valid + figures.totals.invalid + figures.totals.other;
  };
  const counted = async () => {
    const { hours } = await createCountScans(deps())(owner, today);
    return hours.reduce((sum, { results }) => sum + results.valid + results.unchecked + results.invalid, 0);
  };

  it('a received scan is on the card with its ID and uses up its barcode, also once it is copied', async () => {
    await receive([{ value, scanId: '77', at: now }]);
    const before = await card(value);
    expect(before.history.scans).toMatchObject([{ source: 'relay', id: '77' }]);
    expect(headlineOf(before).kind).toBe('used');
    await copy([{ id: '77', value, at: now }]);
    const after = await card(value);
    expect(after.history.scans).toMatchObject([{ source: 'account', id: '77', validatedBy: 'r1' }]);
    expect(headlineOf(after).kind).toBe('used');
  });

  it('no received scan is lost where a template sends one ID with every scan', async () => {
    const at = today + 1_000;
    await receive([
      { value, scanId: '9', at },
      { value, scanId: '9', at: at + 5_000 },
      { value: 'OTHER', scanId: '9', at },
      { value: 'UNDATED', scanId: '9', at, undated: true },
    ]);
    await copy([{ id: '9', value: 'ELSE', at }]);
    expect((await card(value)).history.scans).toHaveLength(2);
    const { scans, totals } = await found();
    expect(scans.map((scan) => scan.value).sort()).toEqual([value, value, 'ELSE', 'OTHER', 'UNDATED'].sort());
    expect(totals.valid + totals.other + totals.invalid).toBe(5);
    expect(await exported()).toHaveLength(5);
    expect(await reported()).toBe(5);
    expect(await counted()).toBe(5);
  });

  it('a received scan is shown once if the account has it too, with its time or without', async () => {
    const at = today + 1_000;
    await receive([
      { value, scanId: '11', at },
      { value: 'UNDATED', scanId: '12', at, undated: true },
      { value: 'NO-ID', scanId: null, at },
    ]);
    await copy([
      { id: '11', value, at },
      { id: '12', value: 'UNDATED', at },
      { id: '13', value: 'NO-ID', at },
    ]);
    expect((await card(value)).history.scans).toMatchObject([{ source: 'account' }]);
    const { scans } = await found();
    expect(scans.map((scan) => [scan.source, scan.value])).toEqual(
      expect.arrayContaining([
        ['account', value],
        ['account', 'UNDATED'],
        ['account', 'NO-ID'],
      ]),
    );
    expect(scans).toHaveLength(3);
    expect(await exported()).toHaveLength(3);
    expect(await reported()).toBe(3);
    expect(await counted()).toBe(3);
  });
});
