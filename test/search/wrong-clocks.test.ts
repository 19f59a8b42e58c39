/** Scans of devices with a wrong clock: they count at their arrival, keep the device's time, and hold up no surface. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemRandom } from '../../src/clock.js';
import type { Account } from '../../src/codereadr/types.js';
import { createCountScans } from '../../src/lookup/index.js';
import { createMirroredScans } from '../../src/mirror/tables/scans.js';
import { type Relay, relaySettingsSchema } from '../../src/relay/index.js';
import { createRelayStatus } from '../../src/relay/relays/status.js';
import type { ReportContent, ReportFields } from '../../src/reports/index.js';
import { dated } from '../../src/scans/account/account-scan-rows.js';
import { createScanSearch, ever, type ScanSearchAnswer } from '../../src/search/index.js';
import { savedSearches } from '../../src/search/saved-searches.js';
import { chartBlock } from '../../src/slack/scans/chart.js';
import type { Store } from '../../src/workspaces/types.js';
import { createShelf, exportsOf, request, until } from '../exports/world.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { mirrorOf } from '../helpers/mirror.js';
import { gate, owner, relaysOf } from '../helpers/relay.js';
import { countDeps, putScans, reportChannel, setClock, workerOf } from '../reports/harness.js';

const utc = (text: string) => Date.parse(`${text}Z`);
const now = utc('2026-11-23T12:00:00');
const clock = setClock(now);
/** A device before the epoch is one of 1970 in a zone ahead of UTC. */
const wrong = ['1969-12-31T23:00:00', '1970-01-01T00:00:05', '2016-11-01T09:00:00', '2026-11-25T08:00:00'];
const farAhead = ['2999-12-31T09:00:00', '9999-12-31T23:59:59'];
const right = ['2026-11-21T09:00:00', '2026-11-23T09:00:00', '2026-11-23T11:30:00'];
/** The longest time of an answer: to go through 70 million hours, or 3 million days, would take minutes. */
const soonMs = 5_000;

const quick = async <T>(run: () => Promise<T>): Promise<T> => {
  const began = performance.now();
  const result = await run();
  expect(performance.now() - began).toBeLessThan(soonMs);
  return result;
};

onEachDatabase('scans of devices with a wrong clock', (databases) => {
  let store: Store;
  let relay: Relay;
  let mirror: ReturnType<typeof mirrorOf>['mirror'];
  const account = {
    names: { services: async () => [], users: async () => [], devices: async () => [] },
  } as unknown as Account;
  const deps = () => ({ ...countDeps(store, clock), mirror });

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    await store.workspaces.connect(owner, 'key', { connectedBy: 'U1', connectedAt: 5 });
    relay = (await relaysOf(store).create({ ...gate, channel: 'C0GATE' })).relay;
    await store.db
      .insertInto('mirrors')
      .values({
        ...{ ...owner, round: 1, scans: 0, read: 0, filled: 1, scans_since: ever.from, scans_at: now },
        ...{ full_due_at: 0, next_call_at: 0, budget_at: 0, connected_at: 5 },
      } as never)
      .execute();
    const { id } = await store.db.selectFrom('mirrors').select('id').executeTakeFirstOrThrow();
    const times = [...wrong, ...farAhead, ...right];
    await putScans(
      store,
      relay.id,
      times.map((time) => ({ at: utc(time), receivedAt: now - 60_000, tid: `R ${time}`, status: '1' })),
    );
    const nobody = { id: '', name: '' };
    await createMirroredScans(store).put(
      id,
      1,
      times.map((time, n) => ({
        ...dated(
          {
            ...{ id: `${n + 1}`, value: `A ${time}`, status: 'valid', result: '', timestamp: time.replace('T', ' ') },
            ...{ device: nobody, service: nobody, user: nobody, answers: [], properties: [] },
          },
          now - 60_000,
        ),
        modifiedAt: now,
      })),
    );
    mirror = mirrorOf(store, undefined as never, { clock }).mirror;
  });
  afterAll(() => store.close());

  const search = async (when?: string) => {
    const searchScans = createScanSearch(deps());
    const query = when === undefined ? {} : { when };
    return (await searchScans({
      ...{ owner, account, query, zone: 'America/New_York', budgetMs: 60_000, limit: 100 },
    })) as ScanSearchAnswer;
  };

  it('scans with an impossible device time count at their arrival in a search, its totals and its chart', async () => {
    const { scans, totals, unit } = await quick(search);
    const late = [...wrong, ...farAhead];
    expect(
      scans
        .map(({ value }) => value.slice(2))
        .slice(0, 12)
        .sort(),
    ).toEqual(late.flatMap((time) => [time, time]).sort());
    expect(scans.map(({ value }) => value.slice(2)).slice(12)).toEqual(
      right.toReversed().flatMap((time) => [time, time]),
    );
    expect(totals).toMatchObject({ valid: 18 });
    expect(totals.buckets.map(({ start, valid }) => [new Date(start).toISOString().slice(0, 10), valid])).toEqual([
      ['2026-11-21', 2],
      ['2026-11-23', 16],
    ]);
    const chart = await quick(async () => chartBlock({ totals, unit, zone: 'America/New_York' }));
    expect(JSON.stringify(chart)).toContain('"categories":["Nov 21","Nov 22","Nov 23"]');
  });

  it('scans with an impossible device time are still shown with that time', async () => {
    const { scans } = await quick(search);
    expect(scans.find(({ value }) => value === 'R 9999-12-31T23:59:59')?.atText).toBe('9999-12-31 23:59:59');
    expect(scans.find(({ value }) => value === 'A 1970-01-01T00:00:05')?.atText).toBe('1970-01-01 00:00:05');
  });

  it('scans with an impossible device time are in an export of all scans', async () => {
    const shelf = createShelf();
    const exports = exportsOf(store, shelf);
    await exports.request(request({ kind: 'scans', query: {}, zone: 'UTC', ...ever }));
    exports.start();
    await until(() => shelf.told.length > 0);
    await exports.stop();
    const rows = [...shelf.shared.values()].join('').split('\r\n').slice(1, -1);
    expect(rows.map((row) => row.slice(2, row.indexOf(','))).sort()).toEqual(
      [...right, ...wrong, ...farAhead].flatMap((time) => [time, time]).sort(),
    );
  });

  it('scans with an impossible device time count at their arrival in reports, previews and hourly counts', async () => {
    // A device that is 26 hours ahead: its scan of yesterday says today at 10:00.
    await putScans(store, relay.id, [{ at: utc('2026-11-23T10:00:00'), receivedAt: utc('2026-11-22T08:00:00') }]);
    const made = { name: 'All', query: {}, savedBy: 'U1' };
    const saving = await savedSearches.save({ store, clock, random: systemRandom }, owner, made);
    const saved = 'saved' in saving ? saving.saved.id : '';
    const { reports } = workerOf(store, clock, reportChannel(clock));
    const fields = { channel: 'C0GATE', hour: 22, minute: 0, zone: 'UTC', day: 'today' } as const;
    for (const subject of [{ relay: relay.id }, { search: saved }]) {
      const report = await reports.create(owner, { subject, ...fields } satisfies ReportFields, 'U0ADMIN');
      const content = (await quick(() => reports.preview(report))) as ReportContent;
      expect(content.figures.totals.buckets.map(({ start }) => new Date(start).getUTCHours())).toEqual([9, 11]);
    }

    const countScans = createCountScans(deps());
    const { hours } = await quick(() => countScans(owner, utc('2026-11-23T00:00:00')));
    expect(hours.map(({ results }) => results.valid)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 14, 0]);

    const weekdays = { zone: 'Europe/Berlin', days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' };
    const settings = relaySettingsSchema.parse({ hours: weekdays });
    const status = createRelayStatus({ store, clock, lateHours: 24 });
    expect(await quick(() => status.preview(relay, settings))).toHaveLength(10);
    const planned = { owner, serviceIds: [], channel: 'C0GATE', notable: 'all' } as const;
    const recorded = [...wrong, ...farAhead].map((time) => ({ value: time, serviceId: '1', text: '', at: utc(time) }));
    expect(await quick(() => status.preview(planned, undefined, { recorded: async () => recorded }))).toHaveLength(6);
  });
});
