/** A relay that validates by databases, and may accept a barcode by its equal reading. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { createRelayStatus, createRelays, relaySettingsSchema } from '../../../src/relay/index.js';
import type { DatabaseValidation } from '../../../src/relay/validation/index.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { mirrorOf, type TestMirror } from '../../helpers/mirror.js';
import { gate, owner, postScan, relaysOf, scanForm, startIntake } from '../../helpers/relay.js';
import { type DeskHarness, startDesk } from '../../lookup/harness.js';

const gs = '\x1d';
const article = '5400000002649';
const batched = `010${article}10LOT1`;

onEachDatabase('a relay that reads barcodes by their equal readings', (databases) => {
  let desk: DeskHarness;
  let made: TestMirror;
  let stock: string;
  let blocked: string;

  const call = async (action: string, variables: Record<string, string>) => {
    const body = new URLSearchParams({ section: 'databases', action, api_key: desk.apiKey, ...variables });
    return await (await fetch(desk.apiUrl, { method: 'POST', body })).text();
  };
  const create = async (database_name: string) =>
    /<id>(\d+)<\/id>/.exec(await call('create', { database_name }))?.[1] ?? '';
  const settingsOf = (judging: object, more: object = {}) =>
    relaySettingsSchema.parse({ judging: { kind: 'database', databaseIds: [stock], ...judging }, ...more });
  const ask = (value: string, judging: object = {}) =>
    made.databaseLookup.ask(owner, settingsOf({ readings: true, ...judging }).judging as DatabaseValidation, value);
  const asked = (value: string) =>
    desk.calls.filter((each) => each.operation === 'databases/showvalues' && each.variables.get('value') === value)
      .length;

  beforeAll(async () => {
    desk = await startDesk({ callsPerMinute: 1_000_000 });
    [stock, blocked] = [await create('Stock'), await create('Recalled')];
    const values = [article, '01234565', `010950110153000310B${gs}17261231`];
    for (const value of values) {
      await call('addvalue', { database_id: stock, value, response: 'Shelf 4' });
    }
    await call('addvalue', {
      database_id: blocked,
      value: '(01)05400000002649(10)BAD',
      validity: '0',
      response: 'Recalled',
    });
    const store = await openTestStore(await databases.fresh());
    await store.workspaces.connect(owner, desk.apiKey, { connectedBy: 'U1', connectedAt: 5 });
    await relaysOf(store).create({ ...gate, settings: settingsOf({ databaseIds: [stock, blocked] }) });
    made = mirrorOf(store, desk.accounts, { times: { freshMs: 3_600_000 } });
    made.mirror.start();
    const fetched = async () => (await made.mirror.states(owner)).filter(({ fetchedAt }) => fetchedAt !== undefined);
    await vi.waitFor(async () => expect(await fetched()).toHaveLength(2), { timeout: 40_000, interval: 20 });
  });
  afterAll(async () => {
    await made.mirror.stop();
    await made.store.close();
    await desk.close();
  });

  it.each([
    batched,
    `010${article}`,
    `(01)0${article}(10)LOT1`,
    `https://id.gs1.org/01/0${article}`,
    `]C1${batched}${gs}17261231`,
    `0${article}`,
  ])(
    'with the option, a barcode has the result of its equal reading in the copy, without a call: %j',
    async (value) => {
      expect((await ask(value)).known).toMatchObject({ kind: 'known', valid: true, response: 'Shelf 4' });
      expect(asked(value)).toBe(0);
    },
  );

  it('without the option, a barcode is valid by its own text alone', async () => {
    expect((await ask(batched, { readings: false })).known).toEqual({ kind: 'absent' });
    expect(relaySettingsSchema.parse({ judging: { kind: 'database', databaseIds: ['1'] } }).judging).toMatchObject({
      readings: false,
    });
  });

  it.each([
    ['a serial number', `010${article}21SN1`],
    ['what may be a serial number behind a batch', `010${article}10A21SN1`],
    ['another article', '0105400000002656'],
    ['no meaning of GS1', 'HLF-000009'],
  ])('with the option, a barcode with %s is valid by its own text alone', async (_, value) => {
    expect((await ask(value)).known).toEqual({ kind: 'absent' });
  });

  it('with the option, a barcode that a database has is judged by its text, with as many calls as without', async () => {
    await call('addvalue', { database_id: stock, value: `(01)0${article}(10)SOLD`, validity: '0', response: 'Sold' });
    await made.mirror.refresh(owner, stock);
    await expect
      .poll(async () => (await ask(`(01)0${article}(10)SOLD`)).known)
      .toMatchObject({ valid: false, response: 'Sold' });
    expect(asked(article)).toBe(0);
    // A value with a separator is in no copy: only the account knows it.
    const separated = `010950110153000310B${gs}17261231`;
    expect((await ask(separated)).known).toMatchObject({ kind: 'known', valid: true });
    expect(asked(separated)).toBe(1);
  });

  it('with the option, a spelling of the whole barcode in any database comes before its article', async () => {
    const both = { databaseIds: [stock, blocked] };
    expect((await ask(`010${article}10BAD`, both)).known).toMatchObject({ valid: false, response: 'Recalled' });
    expect((await ask(`010${article}10GOOD`, both)).known).toMatchObject({ valid: true });
  });

  it('duplicates and the stored scan keep the scanned text, and the preview offers the option', async () => {
    const relays = createRelays({
      store: made.store,
      clock: systemClock,
      random: systemRandom,
      onPosts: () => undefined,
    });
    const intake = await startIntake(made.store, { databaseLookup: made.databaseLookup });
    const scans = [batched, `0${article}`, batched, article, `010${article}21SN1`];
    const results = async (settings: ReturnType<typeof settingsOf>) => {
      const { relay, path } = await relays.create({ ...gate, settings });
      const texts: string[] = [];
      for (const tid of scans) {
        const { body } = await postScan(`${intake.url}${path}`, scanForm({ tid }));
        texts.push(/<text>([^<]*)/.exec(body)?.[1] ?? '');
      }
      return { relay, texts };
    };
    const limits = { duplicates: {} };
    const reading = await results(settingsOf({ readings: true }, limits));
    // Each text is admitted once: the batch's barcode, the GTIN-14 and the EAN-13 count alone.
    expect(reading.texts).toEqual(['Shelf 4', 'Shelf 4', 'Already scanned', 'Shelf 4', 'Not valid']);
    const rows = await made.store.db
      .selectFrom('received_scans')
      .select('tid')
      .where('relay_id', '=', reading.relay.id)
      .orderBy('id')
      .execute();
    expect(rows.map(({ tid }) => tid)).toEqual(scans);

    const plain = await results(settingsOf({}, limits));
    expect(plain.texts).toEqual(['Not valid', 'Not valid', 'Not valid', 'Shelf 4', 'Not valid']);
    const status = createRelayStatus({
      store: made.store,
      clock: systemClock,
      databaseLookup: made.databaseLookup,
      lateHours: 24,
    });
    const calls = desk.calls.length;
    const { relay } = (await relays.get(owner, plain.relay.id))!;
    expect(await status.previewValidation(relay, relay.settings)).toMatchObject({
      scans: 5,
      changed: [],
      byReading: 2,
    });
    const withOption = settingsOf({ readings: true }, limits);
    expect(await status.previewValidation(relay, withOption)).toMatchObject({
      byReading: 0,
      changed: [
        { before: 'invalid', after: 'valid' },
        { before: 'invalid', after: 'valid' },
        { before: 'invalid', after: 'duplicate' },
      ],
    });
    expect(desk.calls.slice(calls).filter(({ variables }) => variables.has('value'))).toEqual([]);
    await intake.close();
  });
});
