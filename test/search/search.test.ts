import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { fold } from '../../src/codereadr/barcode-equality.js';
import type { Account, RecordedScan } from '../../src/codereadr/types.js';
import { leastId } from '../../src/database/ids.js';
import { createMirroredScans } from '../../src/mirror/tables/scans.js';
import { createScans } from '../../src/scans/index.js';
import type { SeenScan } from '../../src/scans/seen-scan.js';
import { createScanSearch, type SearchScans } from '../../src/search/index.js';
import type { ScanQuery } from '../../src/search/query.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { effort } from '../helpers/effort.js';
import { mirrorOf } from '../helpers/mirror.js';
import { owner, stranger } from '../helpers/relay.js';
import { storeReceived } from '../helpers/scans.js';
import { wideIt } from '../helpers/tier/wide-it.js';

const start = Date.UTC(2026, 2, 1);
const end = start + 3 * 24 * 60 * 60_000;
const utc = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

const names = {
  services: [
    { id: '1', name: 'Gate A' },
    { id: '2', name: 'Gate B' },
  ],
  users: [
    { id: '7', username: 'ann' },
    { id: '8', username: 'Bob %_' },
  ],
  devices: [{ id: '5', udid: 'u5', name: 'Phone 5' }],
};

/** One scan of the world: known to the account, to a relay, or to both. */
interface Scan {
  readonly id: number;
  readonly value: string;
  readonly at: number;
  readonly status: 'valid' | 'invalid' | 'not_validated';
  readonly result: string;
  readonly service: '1' | '2';
  readonly user: '7' | '8';
  readonly where: 'account' | 'relay' | 'both';
  /** Whether the device told the relay no time. */
  readonly undated: boolean;
  readonly color: string;
}

const values = [
  '0123',
  '01234',
  '123',
  ' 0123',
  '0123a',
  '0123A',
  '%',
  '_',
  "'; drop table scans; --",
  '\u001d01',
  'é',
  '"',
  '\\',
];
const value = fc.oneof(
  { arbitrary: fc.constantFrom(...values), weight: 4 },
  fc.string({ maxLength: 4, minLength: 1 }).filter((one) => !one.includes('\0')),
);
const scans = fc.array(
  fc.record({
    value,
    // Few seconds, so that many scans share one.
    at: fc
      .oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 3 * 86_400 - 1 }))
      .map((s) => start + s * 1000),
    status: fc.constantFrom('valid', 'invalid', 'not_validated'),
    result: fc.constantFrom('Welcome', 'Already used', 'welcome back', '100%', ''),
    service: fc.constantFrom('1', '2'),
    user: fc.constantFrom('7', '8'),
    where: fc.constantFrom('account', 'relay', 'both'),
    undated: fc.boolean(),
    color: fc.constantFrom('red', 'Dark Red', ''),
  }),
  { maxLength: 60 },
);

const query: fc.Arbitrary<ScanQuery> = fc
  .record(
    {
      barcode: fc.record({ match: fc.constantFrom('is', 'starts', 'contains', 'alike'), text: value }),
      when: fc.constantFrom(
        '2026-03-01',
        '2026-03-02',
        'since 2026-03-02',
        'before 2026-03-03',
        '2026-03-01 00:00-00:01',
      ),
      results: fc.uniqueArray(fc.constantFrom('valid', 'invalid', 'not_validated'), { minLength: 1 }),
      services: fc.constantFrom([{ id: '1', name: 'Gate A' }], [{ part: 'gate' }], [{ part: 'b' }], [{ part: '2' }]),
      users: fc.constantFrom([{ part: 'ANN' }], [{ part: '%' }], [{ id: '8', name: 'x' }, { part: 'ann' }]),
      response: fc.constantFrom('welcome', 'ALREADY', '%', 'zzz'),
      property: fc.constantFrom({ name: 'Color', value: 'red' }, { name: 'size', value: '' }),
    },
    { requiredKeys: [] },
  )
  .chain((each) =>
    fc
      .subarray(Object.keys(each), { maxLength: Math.min(2, Object.keys(each).length) })
      .map((keys) => pick(each as ScanQuery, keys)),
  );

/** Few conditions, so that most queries find something. */
function pick(each: ScanQuery, keys: readonly string[]): ScanQuery {
  return Object.fromEntries(Object.entries(each).filter(([key]) => keys.includes(key))) as ScanQuery;
}

/** What a reader of the whole list would pick. */
function naive(all: readonly Scan[], wanted: ScanQuery): readonly Scan[] {
  const spans: Record<string, (at: number) => boolean> = {
    '2026-03-01': (at) => utc(at).startsWith('2026-03-01'),
    '2026-03-02': (at) => utc(at).startsWith('2026-03-02'),
    'since 2026-03-02': (at) => utc(at) >= '2026-03-02',
    'before 2026-03-03': (at) => utc(at) < '2026-03-03',
    '2026-03-01 00:00-00:01': (at) => utc(at).startsWith('2026-03-01 00:00:'),
  };
  const nameOf = { 1: 'Gate A', 2: 'Gate B', 7: 'ann', 8: 'Bob %_' } as const;
  const named = (parts: ScanQuery['services'], id: '1' | '2' | '7' | '8') =>
    !parts ||
    parts.some((part) =>
      'id' in part ? part.id === id : part.part === id || nameOf[id].toLowerCase().includes(part.part.toLowerCase()),
    );
  // The account's answers cannot carry control characters.
  const textFor = ({ where }: Scan) => wanted.barcode?.text.replace(where === 'account' ? /\p{Cc}/gu : '', '') ?? '';
  return all.filter(
    (scan) =>
      (!wanted.barcode ||
        {
          is: scan.value === textFor(scan),
          starts: scan.value.toUpperCase().startsWith(textFor(scan).toUpperCase()),
          contains: scan.value.toUpperCase().includes(textFor(scan).toUpperCase()),
          alike: fold(scan.value) === fold(textFor(scan)),
        }[wanted.barcode.match]) &&
      (!wanted.when || spans[wanted.when]!(scan.at)) &&
      (!wanted.results || wanted.results.includes(scan.status)) &&
      named(wanted.services, scan.service) &&
      named(wanted.users, scan.user) &&
      (!wanted.response || scan.result.toLowerCase().includes(wanted.response.toLowerCase())) &&
      (!wanted.property || (wanted.property.name === 'Color' && scan.color.toLowerCase().includes('red'))),
  );
}

onEachDatabase('a search for scans', (databases) => {
  let store: Store;
  let searchScans: SearchScans;
  const account = {
    names: {
      services: async () => names.services,
      users: async () => names.users,
      devices: async () => names.devices,
    },
  } as unknown as Account;

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    await store.workspaces.connect(owner, 'key', { connectedBy: 'U1', connectedAt: 5 });
    const none = { ...{ round: 1, scans: 0, read: 0, filled: 1, scans_since: 0, scans_at: end }, full_due_at: 0 };
    const share = { next_call_at: 0, budget_at: 0, connected_at: 5 };
    await store.db
      .insertInto('mirrors')
      .values([
        { ...owner, ...none, ...share },
        { ...stranger, ...none, ...share },
      ] as never)
      .execute();
    const { mirror } = mirrorOf(store, undefined as never);
    searchScans = createScanSearch({
      clock: systemClock,
      mirror,
      scans: createScans(store.db),
    });
  });
  afterAll(() => store.close());

  const fill = async (all: readonly Scan[], whose = owner) => {
    await store.db.deleteFrom('account_scans').execute();
    await store.db.deleteFrom('received_scans').execute();
    const { id } = await store.db
      .selectFrom('mirrors')
      .select('id')
      .where('team', '=', whose.team)
      .executeTakeFirstOrThrow();
    const recorded = all.filter(({ where }) => where !== 'relay');
    await createMirroredScans(store).put(
      id,
      1,
      recorded.map((scan) => ({ scan: record(scan), at: scan.at, modifiedAt: scan.at })),
    );
    const received = all.filter(({ where }) => where !== 'account');
    const rows = received.map((scan) => ({
      id: leastId(scan.at).slice(0, 10) + String(scan.id).padStart(16, '0'),
      relay_id: 'r1',
      ...whose,
      received_at: scan.at,
      tid: scan.value,
      sid: scan.service,
      userid: scan.user,
      udid: 'u5',
      scanid: scan.where === 'both' ? String(scan.id) : null,
      given_status: { valid: '1', invalid: '0', not_validated: '-1' }[scan.status],
      // Without a time of the device's, the id says when it came.
      scanned_at_utc: isUndated(scan) ? null : utc(scan.at),
      valid: scan.status === 'invalid' ? 0 : 1,
      answer_text: scan.result,
      answers: '[]',
      properties: JSON.stringify([{ name: 'color', value: scan.color }]),
      raw: '[]',
      late: 0,
    }));
    await storeReceived(store, rows);
  };

  const isUndated = (scan: Scan) => scan.undated && scan.where !== 'both';
  const record = (scan: Scan): RecordedScan => ({
    id: String(scan.id),
    value: scan.value,
    status: scan.status,
    result: scan.result,
    timestamp: utc(scan.at),
    device: { id: '5', name: 'Phone 5' },
    service: { id: scan.service, name: scan.service === '1' ? 'Gate A' : 'Gate B' },
    user: { id: scan.user, name: scan.user === '7' ? 'ann' : 'Bob %_' },
    answers: [],
    properties: [{ name: 'color', value: scan.color }],
  });

  const search = async (wanted: ScanQuery, more: { limit?: number; budgetMs?: number } = {}, whose = owner) => {
    const pages: SeenScan[][] = [];
    const base = { owner: whose, account, query: wanted, zone: 'Etc/UTC', budgetMs: 60_000, limit: 1_000, ...more };
    let answer = await searchScans(base);
    const first = answer;
    for (;;) {
      if (answer === 'no_span' || first === 'no_span') {
        throw new Error('no span');
      }
      pages.push([...answer.scans]);
      const after = answer.next ?? answer.searchedTo;
      if (!after) {
        return { pages, totals: answer.totals, first };
      }
      answer = await searchScans({ ...base, after });
    }
  };
  const shown = (all: readonly SeenScan[]) => all.map(({ value: text, at }) => `${at} ${text}`).sort();
  const withIds = (all: readonly Omit<Scan, 'id'>[]) => all.map((scan, id) => ({ ...scan, id: id + 1 }) as Scan);

  it('a search for scans finds the same as a plain filter, newest first, each once, by pages of any size', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        scans,
        fc.array(query, { minLength: 5, maxLength: 5 }),
        fc.integer({ min: 1, max: 7 }),
        async (some, queries, limit) => {
          // The account and the relay cannot tell two scans of one second apart that lack an id: one of them is enough.
          const all = withIds([
            ...new Map(some.map((scan) => [JSON.stringify([scan.value, scan.at, scan.service]), scan])).values(),
          ]);
          await fill(all);
          for (const wanted of queries) {
            const expected = naive(all, wanted);
            const { pages, first } = await search(wanted, { limit });
            const listed = pages.flat();
            expect(shown(listed)).toEqual(expected.map(({ value: text, at }) => `${at} ${text}`).sort());
            expect(listed.map(({ at }) => at)).toEqual(expected.map(({ at }) => at).sort((a, b) => b - a));
            const count = (status: string) => expected.filter((scan) => scan.status === status).length;
            expect(first).toMatchObject({
              totals: { valid: count('valid'), invalid: count('invalid'), other: count('not_validated') },
            });
            found += expected.length;
          }
        },
      ),
      { numRuns: effort(databases.kind === 'sqlite' ? { short: 15, long: 60 } : { short: 6, long: 25 }) },
    );
    expect(found).toBeGreaterThan(effort({ short: 10, long: 100 }));
  });

  it('a search for scans finds nothing of another workspace', async () => {
    await fill(
      withIds([
        {
          value: '0123',
          at: start,
          status: 'valid',
          result: '',
          service: '1',
          user: '7',
          where: 'both',
          undated: false,
          color: '',
        },
      ]),
      stranger,
    );
    expect((await search({})).pages.flat()).toEqual([]);
  });

  wideIt(
    'a search for scans that runs out of time says which moment it reached, and can be continued there',
    async () => {
      const all = withIds(
        Array.from({ length: 3_000 }, (_, n) => ({
          ...{
            value: `${n}`,
            at: start + n * 1_000,
            status: 'valid',
            result: '',
            service: '1',
            user: '7',
            undated: false,
            color: '',
          },
          where: (['account', 'relay', 'both'] as const)[n % 3]!,
        })) as Omit<Scan, 'id'>[],
      );
      await fill(all);
      const { pages } = await search({}, { budgetMs: 0 });
      expect(pages.length).toBeGreaterThan(2);
      expect(pages.flat().map(({ value: text }) => text)).toEqual(all.map(({ value: text }) => text).reverse());
    },
  );
});
