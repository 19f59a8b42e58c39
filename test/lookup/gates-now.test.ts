/** Whether a gate would admit a barcode again: a card says of each relay what the relay's device would say now. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../../src/clock.js';
import { createCountScans, createLookups, headlineOf } from '../../src/lookup/index.js';
import { createRelays, type Relays, relaySettingsSchema } from '../../src/relay/index.js';
import { createScans } from '../../src/scans/index.js';
import type { Store } from '../../src/workspaces/types.js';
import { openTestStore, sqliteDatabases } from '../helpers/databases.js';
import { gate, owner, postScan, scanForm, startIntake, type TestIntake } from '../helpers/relay.js';
import { type DeskHarness, startDesk } from './harness.js';

const minuteMs = 60_000;
const databases = sqliteDatabases();

describe('a relay that admitted a barcode', () => {
  let offset: number;
  const clock: Clock = { ...systemClock, now: () => Date.now() + offset };
  let store: Store;
  let harness: DeskHarness;
  let intake: TestIntake;
  let relays: Relays;
  beforeEach(async () => {
    offset = 0;
    [store, harness] = await Promise.all([databases.fresh().then((url) => openTestStore(url)), startDesk({ clock })]);
    // Whatever the relay's database says, the intake takes for valid.
    const known = { kind: 'known', valid: true, response: '', database: 'Tickets' } as const;
    intake = await startIntake(store, { clock, databaseLookup: { ask: async () => ({ known }) } as never });
    relays = createRelays({ store, clock, random: systemRandom, onPosts: () => undefined });
    const body = {
      section: 'databases',
      action: 'addvalue',
      api_key: harness.apiKey,
      database_id: '1021',
      value: 'R-1',
    };
    await fetch(harness.apiUrl, { method: 'POST', body: new URLSearchParams(body) });
  });
  afterEach(async () => {
    await intake.close();
    await store.close();
    await harness.close();
  });

  const made = async (settings: object) =>
    await relays.create({ ...gate, settings: relaySettingsSchema.parse(settings) });
  const posted = async (path: string) => {
    const { scanned_at_utc: _, ...form } = scanForm({ tid: 'R-1', status: '-1', sid: '1207' });
    const { body } = await postScan(intake.url + path, form);
    return /<status>(.)<\/status>/.exec(body)?.[1] === '1';
  };
  const card = async () => {
    const lookups = createLookups({ clock, scans: createScans(store.db), relays });
    const lookup = await lookups.lookup({ owner, account: harness.account, value: 'R-1', databaseIds: ['1021'] });
    const { kind, tone, title } = headlineOf(lookup);
    return { kind, tone, title };
  };
  const database = { kind: 'database', databaseIds: ['1021'], unknown: 'reject' };

  it.each([
    ['checks a database and refuses duplicates', { judging: database, duplicates: {} }],
    ['accepts every scan and refuses duplicates', { duplicates: {} }],
    ['accepts every scan, at most two of each', { atMost: { n: 2, of: 'value' } }],
    ['checks a database, at most two of each', { judging: database, atMost: { n: 2, of: 'value' } }],
    ['checks a list', { duplicates: {}, judging: { kind: 'list', values: ['r-1'], exact: false, listed: 'valid' } }],
    [
      'checks a pattern',
      { atMost: { n: 1, of: 'value' }, judging: { kind: 'pattern', pattern: '^R-', matching: 'valid' } },
    ],
    ['admits three scans in all', { judging: database, atMost: { n: 3, of: 'relay' } }],
    ['refuses duplicates for half an hour', { judging: database, duplicates: { withinMinutes: 30 } }],
    ['admits each as often as it comes', { judging: database }],
  ])('a card says used exactly where a relay would refuse that %s', async (_, settings) => {
    const { path } = await made(settings);
    for (let n = 0; n < 4; n += 1) {
      await posted(path);
      const said = await card();
      const admits = await posted(path);
      expect([said.kind, said.tone]).toEqual(
        admits ? ['scanned', 'good'] : [expect.stringMatching(/used|refused/), said.tone],
      );
      offset += 20 * minuteMs;
    }
  });

  it('a relay that was closed meanwhile still counts its admissions', async () => {
    const { path, relay } = await made({ judging: database, duplicates: {} });
    await posted(path);
    const later = (hours: number) => `${new Date(clock.now() + hours * 60 * minuteMs).toISOString().slice(11, 13)}:00`;
    const hours = { zone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], from: later(2), to: later(3) };
    const settings = relaySettingsSchema.parse({ judging: database, duplicates: {}, hours });
    await relays.change(owner, relay.id, { settings });
    expect(await card()).toMatchObject({ kind: 'used' });
  });

  it('a relay that accepts every scan without a limit leaves a barcode without an admission', async () => {
    await posted((await made({})).path);
    expect(await card()).toMatchObject({ kind: 'no_admission', tone: 'good' });
  });

  it.each([
    [
      'checks another database now',
      'which checks Stock room',
      (id: string) =>
        relays.change(owner, id, {
          settings: relaySettingsSchema.parse({ judging: { ...database, databaseIds: ['1022'] } }),
        }),
    ],
    [
      'has a list now that lacks it',
      'which would find it not valid now',
      (id: string) =>
        relays.change(owner, id, { settings: relaySettingsSchema.parse({ judging: { kind: 'list', values: ['X'] } }) }),
    ],
    ['was removed', 'which was removed', (id: string) => relays.remove(owner, id)],
  ] as const)('a card names a relay that %s', async (_, words, change) => {
    const { path, relay } = await made({ judging: database, duplicates: {} });
    await posted(path);
    await change(relay.id);
    const { kind, tone, title } = await card();
    expect([kind, tone]).toEqual(['elsewhere', 'unsure']);
    expect(title).toBe(`Valid, scanned at Main gate, ${words}`);
  });

  it('figures of the past stay as they were when a relay begins to check a database', async () => {
    const { path, relay } = await made({});
    await posted(path);
    const count = async () => {
      const counts = createCountScans({ clock, scans: createScans(store.db), relays });
      return (await counts(owner, clock.now() - 3_599_000)).hours.map(({ results }) => results);
    };
    expect(await count()).toEqual([{ valid: 0, used: 0, invalid: 0, unchecked: 1 }]);
    await relays.change(owner, relay.id, { settings: relaySettingsSchema.parse({ judging: database }) });
    expect(await count()).toEqual([{ valid: 0, used: 0, invalid: 0, unchecked: 1 }]);
  });
});
