/** The rule for "the same scan", as the walk over real databases applies it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAccountScans, dated } from '../../src/scans/account/account-scan-rows.js';
import { type AccountSource, createScans, type Scan } from '../../src/scans/index.js';
import { scanKey } from '../../src/scans/key.js';
import { ever } from '../../src/scans/walk.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { effort } from '../helpers/effort.js';
import { owner } from '../helpers/relay.js';
import { storeReceived } from '../helpers/scans.js';

const noon = Date.UTC(2026, 2, 1, 12);
const connection = 7;
const secondMs = 1_000;
const utc = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

interface Received {
  readonly id: string;
  readonly relay: string;
  readonly scanid: string | null;
  readonly value: string;
  readonly service: string | null;
  readonly user: string | null;
  /** The time that the device says; null: it says none. */
  readonly scannedAt: number | null;
  readonly receivedAt: number;
}

interface Recorded {
  readonly id: string;
  readonly value: string;
  readonly service: string;
  /** The user's id; empty: the account names no user. */
  readonly user: string;
  readonly scannedAt: number | null;
  readonly receivedAt: number;
}

const recorded = (more: Partial<Recorded> = {}): Recorded => ({
  ...{ id: '5', value: 'A', service: '1', user: '7', scannedAt: noon, receivedAt: noon + secondMs },
  ...more,
});
const received = (more: Partial<Received> = {}): Received => ({
  ...{ id: 'r-1', relay: 'east', scanid: '5', value: 'A', service: '1', user: '7' },
  ...{ scannedAt: noon, receivedAt: noon + secondMs },
  ...more,
});

/** One line of a list: the account's scan id, or the id of the received scan, and the received scans that it names. */
interface Line {
  readonly id: string;
  readonly value: string;
  readonly at: number;
  readonly received: readonly string[];
}

const lineOf = ({ id, value, at, received: rows }: Scan): Line => ({
  ...{ id, value, at },
  received: rows.map((row) => row.id).sort(),
});
const byTime = (one: Line, other: Line) => other.at - one.at || (one.id < other.id ? 1 : -1);

const datedScan = ({ id, value, service, user, scannedAt, receivedAt }: Recorded) =>
  dated(
    {
      ...{ id, value, status: 'valid', result: '', timestamp: scannedAt === null ? '' : utc(scannedAt) },
      ...{ timestampReceived: utc(receivedAt), service: { id: service, name: '' }, user: { id: user, name: '' } },
      ...{ device: { id: '', name: '' }, answers: [], properties: [] },
    },
    receivedAt,
  );

const none = { scanid: null } as const;
const wrongClock = Date.UTC(2001, 0, 1);

/** `lines`: the ids of the lines, each with the received scans that it names. */
const cases: readonly {
  readonly title: string;
  readonly account: readonly Recorded[];
  readonly relays: readonly Received[];
  readonly lines: Readonly<Record<string, readonly string[]>>;
}[] = [
  {
    title: 'a received scan with the id, barcode and second of an account scan is that scan',
    ...{ account: [recorded()], relays: [received()], lines: { 5: ['r-1'] } },
  },
  {
    title: 'a received scan with the id of an account scan of another barcode is another scan',
    ...{ account: [recorded()], relays: [received({ value: 'B' })], lines: { 5: [], 'r-1': ['r-1'] } },
  },
  {
    title: 'a received scan with the id of an account scan of another second is another scan',
    account: [recorded()],
    relays: [received({ scannedAt: noon + secondMs })],
    lines: { 5: [], 'r-1': ['r-1'] },
  },
  {
    title: 'a received scan whose device says no time is the account scan with its id',
    account: [recorded()],
    relays: [received({ scannedAt: null, receivedAt: noon + 3_600 * secondMs })],
    lines: { 5: ['r-1'] },
  },
  {
    title: 'a received scan is the account scan with its id if the account scan’s time cannot be read',
    account: [recorded({ scannedAt: null, receivedAt: noon + 3_600 * secondMs })],
    relays: [received()],
    lines: { 5: ['r-1'] },
  },
  {
    title: 'a received scan with another id in the second of an account scan is another scan',
    ...{ account: [recorded()], relays: [received({ scanid: '6' })], lines: { 5: [], 'r-1': ['r-1'] } },
  },
  {
    title: 'a received scan with the id of an account scan is that scan where the account’s answer lacks separators',
    ...{ account: [recorded()], relays: [received({ value: '\u001dA' })], lines: { 5: ['r-1'] } },
  },
  {
    title: 'a received scan without an id is the account scan of its service, barcode and second',
    ...{ account: [recorded()], relays: [received(none)], lines: { 5: ['r-1'] } },
  },
  {
    title: 'a received scan without an id is no account scan of another service',
    ...{ account: [recorded()], relays: [received({ ...none, service: '2' })], lines: { 5: [], 'r-1': ['r-1'] } },
  },
  {
    title: 'a received scan without an id is no account scan of another user',
    ...{ account: [recorded()], relays: [received({ ...none, user: '8' })], lines: { 5: [], 'r-1': ['r-1'] } },
  },
  {
    title: 'a received scan without an id is the account scan where only one of them names a user',
    account: [recorded(), recorded({ id: '6', value: 'B', user: '' })],
    relays: [received({ ...none, user: null }), received({ ...none, id: 'r-2', value: 'B' })],
    lines: { 5: ['r-1'], 6: ['r-2'] },
  },
  {
    title: 'a received scan without an id is no account scan of another second',
    account: [recorded()],
    relays: [received({ ...none, scannedAt: noon + secondMs })],
    lines: { 5: [], 'r-1': ['r-1'] },
  },
  {
    title: 'a received scan with neither an id nor a time is no scan of the account',
    ...{ account: [recorded()], relays: [received({ ...none, scannedAt: null })], lines: { 5: [], 'r-1': ['r-1'] } },
  },
  {
    title: 'three received scans of one second are the two account scans of that second and one more scan',
    account: [recorded(), recorded({ id: '6' })],
    relays: ['r-1', 'r-2', 'r-3'].map((id) => received({ ...none, id })),
    lines: { 5: ['r-1'], 6: ['r-2'], 'r-3': ['r-3'] },
  },
  {
    title: 'two received scans of two users stand for at most one account scan that names no user',
    account: [recorded({ user: '' })],
    relays: [received({ ...none }), received({ ...none, id: 'r-2', user: '8' })],
    lines: { 5: ['r-1'], 'r-2': ['r-2'] },
  },
  {
    title: 'two received scans of a wrong clock stand for at most one account scan',
    account: [recorded({ scannedAt: wrongClock })],
    relays: [
      received({ ...none, scannedAt: wrongClock }),
      received({ ...none, id: 'r-2', scannedAt: wrongClock, receivedAt: noon + 9 * secondMs }),
    ],
    lines: { 5: ['r-1'], 'r-2': ['r-2'] },
  },
  {
    title: 'an account scan that a received scan names by its id stands for no other scan of that relay',
    account: [recorded()],
    relays: [received(), received({ ...none, id: 'r-2' })],
    lines: { 5: ['r-1'], 'r-2': ['r-2'] },
  },
  {
    title: 'an account scan that two relays received is one line that names both received scans',
    account: [recorded()],
    relays: [received(), received({ ...none, id: 'r-2', relay: 'west' })],
    lines: { 5: ['r-1', 'r-2'] },
  },
  {
    title: 'a scan that two relays received and the account lacks is one line that names both received scans',
    account: [],
    relays: [received(none), received({ ...none, id: 'r-2', relay: 'west' })],
    lines: { 'r-1': ['r-1', 'r-2'] },
  },
  {
    title: 'a scan that two relays received under one id is one line, though one device says no time',
    account: [],
    relays: [received(), received({ id: 'r-2', relay: 'west', scannedAt: null, receivedAt: noon + 60 * secondMs })],
    lines: { 'r-1': ['r-1', 'r-2'] },
  },
  {
    title: 'two scans of one second at one relay are two lines',
    account: [],
    relays: [received(none), received({ ...none, id: 'r-2' })],
    lines: { 'r-1': ['r-1'], 'r-2': ['r-2'] },
  },
  {
    title: 'received scans of a template that sends one id with all scans are a line each',
    account: [recorded({ value: 'ELSE' })],
    relays: [
      received(),
      received({ id: 'r-2', scannedAt: noon + 5 * secondMs }),
      received({ id: 'r-3', value: 'OTHER' }),
    ],
    lines: { 5: [], 'r-1': ['r-1'], 'r-2': ['r-2'], 'r-3': ['r-3'] },
  },
];

/** The same rule as a person would apply it, scan by scan. */
function naiveLines(account: readonly Recorded[], relays: readonly Received[]): Line[] {
  const fits = (one: number | null, other: number | null) => one === null || other === null || one === other;
  const fitsUser = (one: string | null, other: string | null) => !one || !other || one === other;
  const ordered = relays.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const isMoment = (one: Received, other: Received) =>
    [
      scanKey(one.value) === scanKey(other.value),
      one.scannedAt !== null && one.scannedAt === other.scannedAt,
      one.service !== null && one.service === other.service,
      fitsUser(one.user, other.user),
    ].every(Boolean);
  const byId = (row: Received, scan: Recorded) =>
    row.scanid === scan.id && scanKey(row.value) === scanKey(scan.value) && fits(row.scannedAt, scan.scannedAt);
  const lineOfRow = new Map<string, string>();
  for (const relay of [...new Set(ordered.map((row) => row.relay))].sort()) {
    const own = ordered.filter((row) => row.relay === relay);
    const taken = new Set<string>();
    for (const row of own.filter(({ scanid }) => scanid !== null)) {
      const scan = account.find((each) => byId(row, each));
      if (scan) {
        lineOfRow.set(row.id, scan.id);
        taken.add(scan.id);
      }
    }
    for (const row of own.filter(({ scanid, scannedAt }) => scanid === null && scannedAt !== null)) {
      const scan = account
        .filter((each) => scanKey(each.value) === scanKey(row.value) && each.scannedAt === row.scannedAt)
        .filter((each) => each.service === row.service && fitsUser(each.user, row.user) && !taken.has(each.id))
        .sort((one, other) => (one.id < other.id ? -1 : 1))[0];
      if (scan) {
        lineOfRow.set(row.id, scan.id);
        taken.add(scan.id);
      }
    }
    const place = (row: Received) =>
      ordered.filter((each) => each.relay === row.relay && each.id < row.id && isMoment(each, row)).length;
    for (const row of own.filter(({ id }) => !lineOfRow.has(id))) {
      const before = ordered.filter((each) => each.relay < relay);
      const same = (each: Received) =>
        each.scanid !== null &&
        each.scanid === row.scanid &&
        scanKey(each.value) === scanKey(row.value) &&
        fits(each.scannedAt, row.scannedAt);
      const first =
        before.find(same) ??
        before.find(
          (each) => (each.scanid === null || row.scanid === null) && isMoment(each, row) && place(each) === place(row),
        );
      lineOfRow.set(row.id, first ? (lineOfRow.get(first.id) ?? first.id) : row.id);
    }
  }
  const named = (id: string) => ordered.filter((row) => lineOfRow.get(row.id) === id).map((row) => row.id);
  return [
    ...account.map(({ id, value, scannedAt, receivedAt }) => ({ id, value, at: scannedAt ?? receivedAt })),
    ...ordered
      .filter((row) => lineOfRow.get(row.id) === row.id)
      .map(({ id, value, scannedAt, receivedAt }) => ({ id, value, at: scannedAt ?? receivedAt })),
  ].map((line) => ({ ...line, received: named(line.id) }));
}

/** A small generator: the same history in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

function randomHistory(seed: number, events: number) {
  const random = numbers(seed);
  const pick = <T>(...items: readonly T[]): T => items[random(items.length)]!;
  const account: Recorded[] = [];
  const relays: Received[] = [];
  const add = (n: number, given: string, scannedAt: number) => {
    const service = pick('1', '2');
    const user = service === '1' ? '7' : '8';
    const receivedAt = scannedAt + random(50) * secondMs;
    const id = String(n).padStart(5, '0');
    // A scan whose time the account does not say is known by its id alone, which relays have.
    const isTimed = random(20) > 0;
    const value = isTimed ? given : `U-${n}`;
    if (random(4) > 0) {
      account.push({ id, value, service, user, receivedAt, scannedAt: isTimed ? scannedAt : null });
    }
    for (const relay of ['east', 'west']) {
      if (random(3) > 0) {
        relays.push({
          ...{ id: `r-${id}-${relay}`, relay, value, receivedAt, user: pick(user, null) },
          ...{
            scanid: isTimed ? pick(id, id, null, null, '00003') : id,
            service: pick(service, service, service, null),
          },
          scannedAt: random(10) > 0 ? scannedAt : null,
        });
      }
    }
  };
  for (let n = 0; n < events; n += 1) {
    add(n, pick('A', 'a', 'B', 'é'.repeat(210), `V-${random(30)}`), noon + random(events / 3) * secondMs);
  }
  // More scans in one second than one statement reads.
  for (let n = 0; n < 600; n += 1) {
    add(events + n, `C-${n % 550}`, noon + 20 * secondMs);
  }
  return { account, relays };
}

onEachDatabase('the walk over scans', (databases) => {
  let store: Store;
  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await store.db.deleteFrom('received_scans').execute();
    await store.db.deleteFrom('account_scans').execute();
  });

  const fill = async (account: readonly Recorded[], relays: readonly Received[]) => {
    await store.db
      .transaction()
      .execute((trx) => createAccountScans(store).put(trx, connection, 1, account.map(datedScan)));
    await storeReceived(
      store,
      relays.map(({ id, relay, scanid, value, service, user, scannedAt, receivedAt }) => ({
        ...{ id, relay_id: relay, ...owner, received_at: receivedAt, tid: value, sid: service, userid: user, scanid },
        scanned_at_utc: scannedAt === null ? null : utc(scannedAt),
      })),
    );
  };
  const walked = async (source: AccountSource | undefined, more: object = {}): Promise<Line[]> => {
    const lines: Line[] = [];
    let reached = Number.POSITIVE_INFINITY;
    for await (const slice of createScans(store.db).walk(owner, source, { ...ever, ...more })) {
      expect(slice.scans.every(({ at }) => at > slice.reached && at <= reached)).toBe(true);
      reached = slice.reached;
      lines.push(...slice.scans.map(lineOf));
    }
    expect(lines.every(({ at }, n) => n === 0 || at <= lines[n - 1]!.at)).toBe(true);
    return lines.sort(byTime);
  };
  const sources = (account: readonly Recorded[]) =>
    [
      ['stored', { connection }],
      ['live', { live: account.map(datedScan) }],
    ] as const;

  describe('scans of one case', () => {
    it.each(cases.map((each) => [each.title, each] as const))('%s', async (_, { account, relays, lines }) => {
      await fill(account, relays);
      for (const [kind, source] of sources(account)) {
        const found = await walked(source);
        expect([kind, Object.fromEntries(found.map((line) => [line.id, line.received]))]).toEqual([kind, lines]);
        // Each barcode of the case by its index.
        const keys = [...new Set([...account, ...relays].map(({ value }) => value))];
        const byBarcode = new Map<string, Line>();
        for (const text of keys) {
          for (const line of await walked(source, { barcode: { match: 'is', text } })) {
            byBarcode.set(line.id, line);
          }
        }
        expect([...byBarcode.values()].sort(byTime)).toEqual(found);
      }
    });
  });

  it.each([1, 2, 3])(
    'the pairs of relays’ scans and the account’s in random history %i are those of a simple pairing',
    async (seed) => {
      const { account, relays } = randomHistory(seed, effort({ short: 30, long: 500 }));
      await fill(account, relays);
      const naive = naiveLines(account, relays).sort(byTime);
      for (const [, source] of sources(account)) {
        expect(await walked(source)).toEqual(naive);
        for (const text of ['A', 'B', 'é'.repeat(210), 'V-7', 'C-3', 'NOWHERE']) {
          const lines = naive.filter(({ value }) => scanKey(value) === scanKey(text));
          expect(await walked(source, { barcode: { match: 'is', text } })).toEqual(lines);
        }
      }
      expect(await walked(undefined)).toEqual(naiveLines([], relays).sort(byTime));
      const east = relays.filter(({ relay }) => relay === 'east');
      const ofRelay = await walked({ connection }, { relayId: 'east' });
      expect(ofRelay.map(({ id }) => id).sort()).toEqual(east.map(({ id }) => id).sort());
    },
    60_000,
  );
});
