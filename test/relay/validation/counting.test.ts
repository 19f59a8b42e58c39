import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.js';
import { type RelaySettings, relaySettingsSchema } from '../../../src/relay/record/settings.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { gate, owner, postScan, relaysOf, scanForm, startIntake, type TestIntake } from '../../helpers/relay.js';
import { wideIt } from '../../helpers/tier/wide-it.js';

type Input = Parameters<typeof relaySettingsSchema.parse>[0];

const statusOf = (body: string) => /<status>(\d)<\/status><text>([^<]*)</.exec(body)?.slice(1);
const counted = (answers: readonly (readonly string[] | undefined)[]) =>
  answers.filter((answer) => answer?.[0] === '1').length;

onEachDatabase('limits of admissions', (databases) => {
  const stores: Store[] = [];
  const intakes: TestIntake[] = [];
  /** Some minutes after the first scan of `scanForm` was made. */
  const begin = Date.UTC(2026, 4, 1, 0, 9);
  let now = begin;
  const clock: Clock = { ...systemClock, now: () => now };

  beforeAll(async () => {
    const url = await databases.fresh();
    for (let n = 0; n < 2; n++) {
      const store = await openTestStore(url);
      stores.push(store);
      intakes.push(await startIntake(store, { clock, rate: { burst: 10_000, perSecond: 10_000 } }));
    }
  });
  afterAll(async () => {
    await Promise.all(intakes.map((intake) => intake.close()));
    await Promise.all(stores.map((store) => store.close()));
  });

  const newRelay = async (settings: Input) => {
    const parsed = relaySettingsSchema.parse(settings) as RelaySettings;
    const { relay, path } = await relaysOf(stores[0]!).create({ ...gate, settings: parsed });
    const change = (more: Input) =>
      relaysOf(stores[0]!).change(owner, relay.id, { settings: relaySettingsSchema.parse(more) as RelaySettings });
    /** To the two instances in turn. */
    let turn = 0;
    const post = async (fields: Record<string, string> = {}) => {
      const intake = intakes[turn++ % intakes.length]!;
      const { status, body } = await postScan(`${intake.url}${path}`, scanForm(fields));
      expect(status).toBe(200);
      return statusOf(body);
    };
    return { id: relay.id, post, change };
  };
  const atOnce = async <T>(n: number, work: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: n }, (_, at) => work(at)));
  const countersOf = (relayId: string) =>
    stores[0]!.db.selectFrom('counters').selectAll().where('relay_id', '=', relayId).orderBy('key').execute();

  it('a limit of one admits a barcode once when it is posted 100 times at once to two instances', async () => {
    const { id, post } = await newRelay({ duplicates: {} });
    const answers = await atOnce(100, () => post({ tid: 'T-1' }));
    expect(counted(answers)).toBe(1);
    expect(answers.filter((answer) => answer?.[1] === 'Already scanned')).toHaveLength(99);
    const scans = stores[0]!.db.selectFrom('received_scans').select(['valid', 'finding']).where('relay_id', '=', id);
    const found = (await scans.orderBy('id').execute()).map(({ finding }) => finding);
    expect(found.filter((finding) => finding === 'valid')).toHaveLength(1);
    expect(found).toHaveLength(100);
    expect(await countersOf(id)).toEqual([expect.objectContaining({ key: '=T-1', seen: 100, accepted: 1 })]);
  });

  wideIt('a limit of one admits each of many barcodes once, in whatever order they are mixed', async () => {
    const { post } = await newRelay({ duplicates: { withinMinutes: 60 } });
    const answers = await atOnce(200, async (n) => ({
      tid: `M-${n % 40}`,
      answer: await post({ tid: `M-${n % 40}` }),
    }));
    const accepted = answers.filter(({ answer }) => answer?.[0] === '1').map(({ tid }) => tid);
    expect(accepted).toHaveLength(40);
    expect(new Set(accepted).size).toBe(40);
  });

  it('a limit admits n scans of each barcode and no more, for ever and within a time', async () => {
    for (const withinMinutes of [undefined, 60]) {
      const { id, post } = await newRelay({ atMost: { n: 3, of: 'value', ...(withinMinutes && { withinMinutes }) } });
      const answers = await atOnce(60, async (n) => ({ tid: `L-${n % 2}`, answer: await post({ tid: `L-${n % 2}` }) }));
      for (const tid of ['L-0', 'L-1']) {
        expect(counted(answers.filter((each) => each.tid === tid).map(({ answer }) => answer))).toBe(3);
      }
      const moments = await stores[0]!.db.selectFrom('admissions').selectAll().where('relay_id', '=', id).execute();
      expect(moments).toHaveLength(withinMinutes ? 6 : 0);
    }
  });

  it('a limit admits n scans of a relay and no more', async () => {
    const { post } = await newRelay({ atMost: { n: 25, of: 'relay' } });
    expect(counted(await atOnce(90, () => post()))).toBe(25);
    expect(await post()).toEqual(['0', 'Limit reached']);
  });

  it('a limit of 2 scans in 60 minutes admits two scans of a barcode in any 60 minutes, and no third scan', async () => {
    const { post } = await newRelay({ atMost: { n: 2, of: 'value', withinMinutes: 60 } });
    const at = (time: string) => {
      now = Date.parse(`2026-05-02T${time}Z`);
      return post({ tid: 'W', scanned_at_utc: `2026-05-02 ${time}` }).then((answer) => answer?.[0]);
    };
    expect(await at('08:00:00')).toBe('1');
    expect(await at('08:30:00')).toBe('1');
    expect(await at('08:59:59')).toBe('0');
    expect(await at('09:00:00')).toBe('1');
    expect(await at('09:29:00')).toBe('0');
    expect(await at('09:30:00')).toBe('1');
    now = begin;
  });

  it('a limit counts scans that the relay received before the limit was set', async () => {
    const { id, post, change } = await newRelay({});
    await post({ tid: 'Old' });
    await post({ tid: 'Old' });
    expect(await countersOf(id)).toEqual([]);
    await change({ duplicates: {} });
    expect(await post({ tid: 'Old' })).toEqual(['0', 'Already scanned']);
    expect(await post({ tid: 'New' })).toEqual(['1', 'Received']);
    expect(await countersOf(id)).toEqual([
      expect.objectContaining({ key: '=New', seen: 1, accepted: 1 }),
      expect.objectContaining({ key: '=Old', seen: 3, accepted: 2 }),
    ]);
    await change({ atMost: { n: 2, of: 'value', withinMinutes: 60 } });
    expect(await post({ tid: 'Old' })).toEqual(['0', 'Limit reached']);
    expect(await post({ tid: 'New' })).toEqual(['1', 'Received']);
    expect(await post({ tid: 'New' })).toEqual(['0', 'Limit reached']);
  });

  it('a limit counts scans that the relay received while the limit was switched off', async () => {
    const { post, change } = await newRelay({ duplicates: {} });
    await change({});
    expect(await post({ tid: 'X' })).toEqual(['1', 'Received']);
    await change({ duplicates: {} });
    expect(await post({ tid: 'X' })).toEqual(['0', 'Already scanned']);
  });

  it('a scan is validated by the relay’s settings at its commit, though the intake cached older settings', async () => {
    const { post, change } = await newRelay({});
    await post({ tid: 'Y' });
    await post({ tid: 'Y' });
    await change({ judging: { kind: 'list', values: ['Z'] } });
    expect(await atOnce(6, () => post({ tid: 'Y' }))).toEqual(Array.from({ length: 6 }, () => ['0', 'Not valid']));
  });

  it('a limit distinguishes barcodes letter by letter, however long', async () => {
    const { post } = await newRelay({ duplicates: {} });
    const long = 'x'.repeat(5_000);
    const values = [
      '00123',
      '123',
      ' 123',
      '123 ',
      'abc',
      'ABC',
      `${long}a`,
      `${long}b`,
      '=abc',
      '#abc',
      'é',
      'e\u0301',
    ];
    expect(counted(await atOnce(values.length, (n) => post({ tid: values[n]! })))).toBe(values.length);
    expect(counted(await atOnce(values.length, (n) => post({ tid: values[n]! })))).toBe(0);
  });

  it('a limit counts spellings that a list treats as equal as one barcode, also among earlier scans', async () => {
    const judging = { kind: 'list', values: ['TICKET-A', 'Ticket-B'], exact: false };
    const one = await newRelay({ judging, duplicates: {} });
    const spellings = ['TICKET-A', 'ticket-a', 'Ticket-A', 'tIcKeT-a'];
    expect(counted(await atOnce(40, (n) => one.post({ tid: spellings[n % spellings.length]! })))).toBe(1);
    const limited = await newRelay({ judging, atMost: { n: 2, of: 'value', withinMinutes: 60 } });
    expect(counted(await atOnce(40, (n) => limited.post({ tid: spellings[n % spellings.length]! })))).toBe(2);
    const later = await newRelay({ judging });
    await later.post({ tid: 'TICKET-A' });
    await later.change({ judging, duplicates: {} });
    expect(await later.post({ tid: 'ticket-a' })).toEqual(['0', 'Already scanned']);
    // A scan that the account validated counts for the barcode's other spellings, too.
    const given = await newRelay({ judging, duplicates: {} });
    await given.post({ tid: 'ticket-b', status: '1', text: 'Welcome' });
    expect(await given.post({ tid: 'TICKET-B' })).toEqual(['0', 'Already scanned']);
  });

  it('a limit changes no result that the account decided, and a duplicates rule still posts the scan', async () => {
    const rules = [{ id: 'again', when: { kind: 'result', is: 'duplicate' }, channel: 'C0AGAIN' }];
    const { id, post } = await newRelay({ duplicates: {}, rules } as Input);
    const judged = { tid: 'G', status: '1', text: 'Welcome' };
    expect([await post(judged), await post(judged)]).toEqual([
      ['1', 'Welcome'],
      ['1', 'Welcome'],
    ]);
    const posts = stores[0]!.db.selectFrom('outbox').select('channel').where('source_id', '=', id);
    expect(await posts.execute()).toEqual([{ channel: 'C0AGAIN' }]);
  });

  it('a limit counts a repeated scan once, and gives it the same response', async () => {
    const { id, post } = await newRelay({ duplicates: {} });
    const form = scanForm({ tid: 'R' });
    const answers = await atOnce(20, () => post(form));
    expect(counted(answers)).toBe(20);
    expect(await countersOf(id)).toEqual([expect.objectContaining({ seen: 1, accepted: 1 })]);
    expect(await post({ tid: 'R' })).toEqual(['0', 'Already scanned']);
  });

  it('a limit counts the scans of each relay separately', async () => {
    const one = await newRelay({ duplicates: {} });
    const two = await newRelay({ duplicates: {} });
    expect([await one.post({ tid: 'S' }), await two.post({ tid: 'S' })]).toEqual([
      ['1', 'Received'],
      ['1', 'Received'],
    ]);
  });
});
