/** Lookups of barcodes that a database holds in another form of GS1, with a copy of the account and without one. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.js';
import { AccountError } from '../../src/codereadr/types.js';
import { createLookupByReading } from '../../src/lookup/by-reading.js';
import { createLookups, headlineOf, type Lookups } from '../../src/lookup/index.js';
import { relaySettingsSchema } from '../../src/relay/index.js';
import { createScans } from '../../src/scans/index.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { createChance } from '../helpers/faults/chance.js';
import { mirrorOf, type TestMirror } from '../helpers/mirror.js';
import { gate, owner, postScan, relaysOf, scanForm, startIntake } from '../helpers/relay.js';
import { wideIt } from '../helpers/tier/wide-it.js';
import { type DeskHarness, startDesk } from './harness.js';

const stored = ['5400000002649', '01234565', '00012345678905', '(01)09501101530003(10)LOT1', '0010', 'TICKET-1'];

const scannedOnly = '(01)05400000002649(10)LOT7';

/** What is looked up, the value that is found, and how the card says it. */
const found = [
  ['0105400000002649', '5400000002649', 'spelling'],
  ['05400000002649', '5400000002649', 'spelling'],
  ['(01) 05400000002649', '5400000002649', 'spelling'],
  ['010540000000264910LOT1', '5400000002649', 'article'],
  ['(01)05400000002649(10)LOT1', '5400000002649', 'article'],
  ['https://id.gs1.org/01/05400000002649', '5400000002649', 'spelling'],
  ['012345000065', '01234565', 'spelling'],
  ['0012345000065', '01234565', 'spelling'],
  ['012345678905', '00012345678905', 'spelling'],
  ['0012345678905', '00012345678905', 'spelling'],
] as const;
const copiedOnly = [
  ['010950110153000310LOT1', '(01)09501101530003(10)LOT1', 'spelling'],
  ['https://id.gs1.org/01/09501101530003/10/LOT1', '(01)09501101530003(10)LOT1', 'spelling'],
] as const;

const chance = createChance(7);
const randomDigits = (count: number) => Array.from({ length: count }, () => chance.between(0, 9)).join('');

/** The last digit of a GTIN: with it, the digits weighted 3 and 1 in turn from the right sum up to tens. */
function checkDigitOf(digits: string): number {
  const sum = [...digits].reverse().reduce((total, digit, place) => total + Number(digit) * (place % 2 ? 1 : 3), 0);
  return (10 - (sum % 10)) % 10;
}

onEachDatabase('a lookup by an equal reading', (databases) => {
  let offset = 0;
  const clock: Clock = { ...systemClock, now: () => Date.now() + offset };
  let desk: DeskHarness;
  let made: TestMirror;
  let copied: Lookups;
  let live: Lookups;
  let databaseId: string;

  const call = async (section: string, action: string, variables: Record<string, string>) => {
    const body = new URLSearchParams({ section, action, api_key: desk.apiKey, ...variables });
    return await (await fetch(desk.apiUrl, { method: 'POST', body })).text();
  };

  /** A scan at a gate that checks another database. */
  const scan = async (value: string) => {
    const scanner = desk.apiUrl.replace('/api/', '/scanner/');
    const { users, devices } = (await (await fetch(`${scanner}state`)).json()) as Record<string, { id: string }[]>;
    await fetch(`${scanner}scan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ service_id: '1201', user_id: users?.[0]?.id, device_id: devices?.[0]?.id, value }),
    });
  };
  beforeAll(async () => {
    desk = await startDesk({ callsPerMinute: 1_000_000, clock });
    const answer = await call('databases', 'create', { database_name: 'Articles' });
    databaseId = /<id>(\d+)<\/id>/.exec(answer)?.[1] ?? '';
    for (const value of stored) {
      await call('databases', 'addvalue', { database_id: databaseId, value, response: 'Shelf 4' });
    }
    await scan(scannedOnly);
    const store = await openTestStore(await databases.fresh(), { clock });
    await store.workspaces.connect(owner, desk.apiKey, { connectedBy: 'U1', connectedAt: 5 });
    await store.workspaces.change(owner, { lookupDatabases: [databaseId] });
    made = mirrorOf(store, desk.accounts, { clock });
    const scans = createScans(store.db);
    copied = createLookups({ clock, scans, mirror: made.mirror });
    live = createLookups({ clock, scans });
    made.mirror.start();
    await vi.waitFor(
      async () => {
        expect((await made.mirror.states(owner)).filter(({ fetchedAt }) => fetchedAt !== undefined)).toHaveLength(1);
        expect((await made.mirror.scansState(owner))?.at).toBeDefined();
      },
      { timeout: 40_000, interval: 100 },
    );
    await made.mirror.stop();
  }, 60_000);
  afterAll(async () => {
    await made.store.close();
    await desk.close();
  });

  /** The lookup, and the values that the account was asked about. */
  const lookUp = async (lookups: Lookups, value: string, more: { symbology?: string } = {}) => {
    offset += 11_000;
    const before = desk.calls.length;
    const lookup = await lookups.lookup({ owner, account: desk.account, value, databaseIds: [databaseId], ...more });
    const asked = desk.calls.slice(before).filter(({ operation }) => operation === 'databases/showvalues');
    return { lookup, asked: asked.map(({ variables }) => variables.get('value')) };
  };

  it.each([...found, ...copiedOnly])('by the copy, %s is found as %s (%s)', async (typed, value, kind) => {
    const { lookup, asked } = await lookUp(copied, typed);
    expect(lookup.value).toBe(value);
    expect(lookup.findings).toMatchObject([{ kind: 'known', value, response: 'Shelf 4' }]);
    expect(lookup.reading).toMatchObject({ typed, kind });
    // The unknown text and the reading are confirmed, and nothing else is asked.
    expect(new Set(asked)).toEqual(new Set(asked.filter((each) => each === typed || each === value)));
  });

  it.each(found)('by the account alone, %s is found as %s (%s)', async (typed, value, kind) => {
    const { lookup, asked } = await lookUp(live, typed);
    expect([lookup.value, lookup.reading]).toMatchObject([value, { typed, kind }]);
    expect(asked.length).toBeLessThanOrEqual(5);
  });

  it.each([
    '010540000000264921SN1',
    '(01)05400000002649(10)A(21)SN1',
    '5400000002648',
    '0105400000002650',
    'HLF-000009',
    '10',
  ])('no reading is tried for %s, which stays unknown', async (typed) => {
    for (const lookups of [copied, live]) {
      const { lookup, asked } = await lookUp(lookups, typed);
      expect([lookup.value, lookup.reading, lookup.findings[0]?.kind]).toEqual([typed, undefined, 'unknown']);
      expect(asked.every((each) => each === typed)).toBe(true);
    }
  });

  it.each(stored)('the barcode %s, which a database holds, is looked up by its text alone', async (value) => {
    for (const lookups of [copied, live]) {
      const { lookup, asked } = await lookUp(lookups, value);
      expect([lookup.value, lookup.reading, lookup.findings[0]?.kind]).toEqual([value, undefined, 'known']);
      expect(asked.filter((each) => each !== value)).toEqual([]);
      expect(asked.length).toBeLessThanOrEqual(1);
    }
  });

  wideIt(
    'each form of an article that a database holds in all its forms finds itself without a further call',
    async () => {
      const forms = Array.from({ length: 12 }, () => {
        const digits = randomDigits(12);
        const article = `${digits}${checkDigitOf(digits)}`;
        const lot = randomDigits(4);
        return [
          ...[article, `0${article}`, `010${article}`, `(01)0${article}`, `https://id.gs1.org/01/0${article}`],
          ...[`010${article}10${lot}`, `(01)0${article}(10)${lot}`, `https://id.gs1.org/01/0${article}/10/${lot}`],
        ];
      }).flat();
      for (const value of forms) {
        await call('databases', 'addvalue', { database_id: databaseId, value, response: `Of ${value}` });
      }
      for (const value of forms) {
        const { lookup, asked } = await lookUp(live, value);
        expect(lookup).toMatchObject({ value, findings: [{ kind: 'known', value, response: `Of ${value}` }] });
        expect([lookup.reading, asked]).toEqual([undefined, [value]]);
      }
    },
  );

  it('a text that was once scanned as valid keeps its own card', async () => {
    const scanned = await call('databases', 'addvalue', { database_id: '1021', value: '0109501101530003' });
    expect(scanned).toContain('<status>1</status>');
    await scan('0109501101530003');
    await call('databases', 'deletevalue', { database_id: '1021', value: '0109501101530003' });
    await call('databases', 'addvalue', { database_id: databaseId, value: '9501101530003' });
    const { lookup } = await lookUp(live, '0109501101530003');
    expect([lookup.value, lookup.reading]).toEqual(['0109501101530003', undefined]);
    expect(lookup.history.scans.map(({ status }) => status)).toEqual(['valid']);
  });

  it('the card of a reading says how often the text itself was scanned', async () => {
    const typed = '010540000000264910SEEN';
    for (const lookups of [copied, live]) {
      expect((await lookUp(lookups, typed)).lookup.reading).toMatchObject({ kind: 'article', scans: 0 });
    }
    await scan(typed);
    await scan(typed);
    for (const lookups of [copied, live]) {
      expect((await lookUp(lookups, typed)).lookup.reading).toMatchObject({ kind: 'article', scans: 2 });
    }
  });

  it('a reading that a database holds comes before one that was only scanned', async () => {
    expect(await made.mirror.existing(owner, [databaseId], [scannedOnly], 1)).toHaveLength(1);
    const { lookup } = await lookUp(copied, '010540000000264910LOT7');
    expect([lookup.value, lookup.findings[0]?.kind]).toEqual(['5400000002649', 'known']);
  });

  it('a text that a relay admitted by a reading keeps its scans, and its value is the reading’s', async () => {
    const relays = relaysOf(made.store);
    const settings = relaySettingsSchema.parse({
      judging: { kind: 'database', databaseIds: [databaseId], readings: true },
      duplicates: {},
    });
    const { relay, path } = await relays.create({ ...gate, settings });
    const intake = await startIntake(made.store, { databaseLookup: made.databaseLookup });
    const typed = '010540000000264910GATE';
    expect((await postScan(`${intake.url}${path}`, scanForm({ tid: typed }))).body).toContain('<status>1</status>');
    await intake.close();
    for (const mirror of [made.mirror, undefined]) {
      const scans = createScans(made.store.db);
      const lookups = createLookups({
        ...{ clock, scans, mirror },
        relays: { validators: relays.validators, secretProperties: async () => [] },
      });
      const { lookup } = await lookUp(lookups, typed);
      expect([lookup.value, lookup.reading]).toMatchObject([typed, { typed, kind: 'article', scans: 1 }]);
      expect(lookup.findings).toMatchObject([{ kind: 'known', value: '5400000002649' }]);
      expect(headlineOf(lookup).kind).toBe('used');
      // The article itself was admitted nowhere.
      expect(headlineOf((await lookUp(lookups, '5400000002649')).lookup).kind).not.toBe('used');
    }
    await relays.remove(owner, relay.id);
  });

  it('a text keeps its own answer where the account does not answer about its readings', async () => {
    const unknown = (await lookUp(copied, '00000000000017')).lookup;
    const asked: string[] = [];
    const lookUpByReading = createLookupByReading(async ({ value }) => {
      asked.push(value);
      if (asked.length > 1) throw new AccountError('account.unreachable', 'no answer');
      const { greenMs: _, ...live } = unknown;
      return live;
    }, undefined);
    const answer = await lookUpByReading({ owner, value: '00000000000017' } as never);
    expect([answer.value, asked.length]).toEqual(['00000000000017', 2]);
  });

  it('the prefix of a picture’s reader makes a barcode GS1, whose article is found', async () => {
    const { lookup } = await lookUp(copied, '010540000000264910LOT1', { symbology: ']d2' });
    expect(lookup.value).toBe('5400000002649');
  });
});
