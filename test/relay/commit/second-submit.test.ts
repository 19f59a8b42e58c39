/** The posts of a scan that comes in two submits, from the HTTP request to the outbox. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { createRelays, type Relays, relaySettingsSchema } from '../../../src/relay/index.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { gate, owner, postScan, scanForm, startIntake, type TestIntake } from '../../helpers/relay.js';
import { wideIt } from '../../helpers/tier/wide-it.js';

onEachDatabase('a scan in two submits', (databases) => {
  let store: Store;
  let intake: TestIntake;
  let relays: Relays;

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    intake = await startIntake(store);
    relays = createRelays({ store, clock: systemClock, random: systemRandom, onPosts: () => undefined });
  });
  afterAll(async () => {
    await intake.close();
    await store.close();
  });

  const newRelay = async (settings: object) => {
    const { relay, path } = await relays.create({ ...gate, settings: relaySettingsSchema.parse(settings) });
    const scan = async (form: Record<string, string>) => {
      expect((await postScan(`${intake.url}${path}`, form)).status).toBe(200);
    };
    const posts = async () => {
      const rows = await store.db
        .selectFrom('outbox')
        .innerJoin('received_scans as scans', 'scans.id', 'outbox.scan_id')
        .leftJoin('message_updates', 'message_updates.post_seq', 'outbox.seq')
        .select(['outbox.channel', 'outbox.kind', 'outbox.state', 'outbox.detail'])
        .select((eb) => eb.fn.coalesce('message_updates.revision', eb.lit(0)).as('revision'))
        .select(['scans.tid', 'scans.scanned_at_utc as at'])
        .where('outbox.source_id', '=', relay.id)
        .orderBy('outbox.seq')
        .execute();
      return rows.map(({ detail, ...row }) => {
        const { rules = [], mention } = JSON.parse(detail ?? '{}') as {
          rules?: { id: string }[];
          mention?: { users: string[] };
        };
        return { ...row, rules: rules.map(({ id }) => id), calls: mention?.users ?? [] };
      });
    };
    return { scan, posts };
  };
  const yes = { kind: 'answer', how: 'equals', to: 'yes' };
  const every = { kind: 'every' };
  const answered = { 'answers[12]': 'yes' };

  it('a second submit is posted once by the rule about its answer, though another rule posted the scan', async () => {
    const relay = await newRelay({
      rules: [
        { id: 'alarm', when: yes, channel: 'CALARM' },
        { id: 'log', when: every, channel: 'CLOG' },
      ],
    });
    const form = scanForm();
    await relay.scan(form);
    for (const _ of ['second', 'again']) {
      await relay.scan({ ...form, ...answered });
    }
    await relay.scan({ ...form, ...answered, 'answers[13]': 'more' });
    expect(await relay.posts()).toMatchObject([
      { channel: 'CLOG', rules: ['log'], revision: 2 },
      { channel: 'CALARM', rules: ['alarm'] },
    ]);
  });

  it('a second submit is posted by its rule though a watch posts the scan and both submits come at once', async () => {
    const relay = await newRelay({ rules: [{ id: 'alarm', when: yes, channel: 'CALARM' }] });
    await relays.watches.watch(owner, { value: 'W-1', channel: 'CDESK', who: 'U1', forMs: 3_600_000 });
    const form = scanForm({ tid: 'W-1' });
    await Promise.all([relay.scan(form), relay.scan({ ...form, ...answered })]);
    expect((await relay.posts()).map(({ channel }) => channel).sort()).toEqual(['CALARM', 'CDESK']);
  });

  it('a second submit mentions the people of its rule, even where a digest of that channel has the scan', async () => {
    const relay = await newRelay({
      match: 'all',
      rules: [
        { id: 'alarm', when: yes, channel: 'C1', mention: { users: ['UBOSS'] } },
        { id: 'log', when: every, channel: 'C1', how: 'digest' },
      ],
    });
    const form = scanForm();
    await relay.scan(form);
    await relay.scan({ ...form, ...answered });
    expect(await relay.posts()).toMatchObject([
      { channel: 'C1', state: 'digested', rules: ['log'], calls: [] },
      { channel: 'C1', state: 'pending', rules: ['alarm'], calls: ['UBOSS'] },
    ]);
  });

  it('a scan in two submits is posted at most once by each rule, however often its answer changes', async () => {
    for (const match of ['first', 'all']) {
      const rules = [
        { id: 'alarm', when: yes, channel: 'C1' },
        { id: 'also', when: { kind: 'answer', how: 'contains', to: 'y' }, channel: 'C1' },
      ];
      const relay = await newRelay({ match, rules });
      const form = scanForm();
      for (const answer of ['', 'yes', 'no', 'yes', 'no', 'yes']) {
        await relay.scan(answer === '' ? form : { ...form, 'answers[12]': answer });
      }
      const posts = await relay.posts();
      expect(posts.map(({ rules: by }) => by)).toEqual([match === 'all' ? ['alarm', 'also'] : ['alarm']]);
    }
  });

  it('a second submit is added to a digest unless the channel already has a message of the scan itself', async () => {
    for (const [how, told] of [
      ['each', ['log pending']],
      ['digest', ['log digested', 'alarm digested']],
    ] as const) {
      const rules = [
        { id: 'alarm', when: yes, channel: 'C1', how: 'digest' },
        { id: 'log', when: every, channel: 'C1', how },
      ];
      const relay = await newRelay({ match: 'all', rules });
      const form = scanForm();
      await relay.scan(form);
      await relay.scan({ ...form, ...answered });
      const posts = await relay.posts();
      expect(posts.map(({ rules: [by], state }) => `${by} ${state}`)).toEqual(told);
    }
  });

  it('the rules decide on a second submit with the counts at its scan’s arrival, though scans followed', async () => {
    const rules = [
      { id: 'new', when: { kind: 'first_seen' }, channel: 'CNEW' },
      { id: 'third', when: { kind: 'nth', n: 3, of: 'device' }, channel: 'CTHIRD' },
      { id: 'alarm', when: yes, channel: 'CALARM' },
    ];
    const relay = await newRelay({ rules });
    const forms = ['a', 'a', 'b', 'a'].map((tid) => scanForm({ tid, udid: 'counted' }));
    for (const form of forms) {
      await relay.scan(form);
    }
    for (const form of forms) {
      await relay.scan({ ...form, ...answered });
    }
    const posts = await relay.posts();
    expect(posts.map(({ tid, rules: [rule] }) => `${tid} ${rule}`)).toEqual(['a new', 'b new', 'a alarm', 'a alarm']);
  });

  wideIt(
    'two submits of a scan cause the posts of a single submit, besides posts of the first submit alone',
    async () => {
      const condition = fc.constantFrom<object>(
        every,
        yes,
        { kind: 'answer', how: 'above', to: '2' },
        { kind: 'property', name: 'zone', how: 'equals', to: 'x' },
        { kind: 'value', is: ['A'] },
        { kind: 'watched' },
        { kind: 'first_seen' },
        { kind: 'result', is: 'duplicate' },
        { kind: 'nth', n: 2, of: 'relay' },
      );
      const anyRule = fc.record({
        when: condition,
        channel: fc.constantFrom('C1', 'C2', 'C3'),
        how: fc.constantFrom('each', 'thread', 'digest'),
        mention: fc.constant({ users: ['UBOSS'] }),
      });
      const anyScan = fc.record({
        tid: fc.constantFrom('A', 'B', 'W-1'),
        more: fc.constantFrom<Record<string, string>>(
          { zone: 'x' },
          { 'answers[12]': 'yes' },
          { 'answers[12]': '3', zone: 'y' },
          {},
        ),
      });
      await relays.watches.watch(owner, { value: 'W-1', channel: 'C1', who: 'U1', forMs: 3_600_000 });
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyRule, { minLength: 1, maxLength: 5 }),
          fc.constantFrom('first', 'all'),
          fc.array(anyScan, { minLength: 1, maxLength: 5 }),
          async (rules, match, scans) => {
            const settings = { match, rules: rules.map((one, n) => ({ id: `rule${n}`, ...one })) };
            const [inTwo, inOne, half] = [await newRelay(settings), await newRelay(settings), await newRelay(settings)];
            const forms = scans.map(({ tid }) => scanForm({ tid }));
            for (const [n, form] of forms.entries()) {
              await inTwo.scan(form);
              await inOne.scan({ ...form, ...scans[n]!.more });
              await half.scan(form);
            }
            for (const [n, form] of forms.entries()) {
              await inTwo.scan({ ...form, ...scans[n]!.more });
            }
            const by = async (relay: typeof inTwo) =>
              (await relay.posts()).flatMap((post) => post.rules.map((rule) => `${post.at} ${rule}`));
            const [did, wanted, led] = [await by(inTwo), await by(inOne), await by(half)];
            expect(did).toEqual(expect.arrayContaining(wanted));
            expect([...wanted, ...led]).toEqual(expect.arrayContaining(did));
          },
        ),
        { numRuns: databases.kind === 'sqlite' ? 20 : 8 },
      );
    },
    120_000,
  );
});
