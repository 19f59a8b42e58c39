import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../src/clock.js';
import {
  createRelayInsight,
  type RelayInsight,
  type RelaySettings,
  type Rule,
  relaySettingsSchema,
  ruleSchema,
} from '../../src/relay/index.js';
import { createAttentionStore, createOutbox, type Store } from '../../src/store/index.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { gate, owner, postScan, relaysOf, scanForm, startIntake, stranger, type TestIntake } from '../helpers/relay.js';

const rule = (id: string, when: unknown, more: Partial<Rule> = {}) =>
  ruleSchema.parse({ id, when, channel: `C0${id.toUpperCase()}`, ...more });

/** A rule of every kind that speaks of single scans, and bursts. Each in a channel of its own. */
const rules: readonly Rule[] = [
  rule('every', { kind: 'every' }),
  rule('invalid', { kind: 'result', is: 'invalid' }),
  rule('valid', { kind: 'result', is: 'valid' }),
  rule('again', { kind: 'result', is: 'duplicate' }),
  rule('value', { kind: 'value', is: ['b0', ' b1'] }),
  rule('folded', { kind: 'value', is: ['B2'], exact: false }),
  rule('pattern', { kind: 'value_pattern', pattern: '^b[0-2]$' }),
  rule('check', { kind: 'check_digit' }),
  rule('first', { kind: 'first_seen' }),
  rule('service', { kind: 'from', what: 'service', ids: ['102'] }),
  rule('device', { kind: 'from', what: 'device', ids: ['d1'] }),
  rule('user', { kind: 'from', what: 'user', ids: ['8'] }),
  rule('answer', { kind: 'answer', how: 'above', to: '2' }),
  rule('property', { kind: 'property', name: 'zone', how: 'contains', to: 'vip' }),
  rule('third', { kind: 'nth', n: 3, of: 'value' }),
  rule('fifth', { kind: 'nth', n: 5, of: 'relay', again: false }),
  rule('burst', { kind: 'burst', n: 3, minutes: 10 }),
];

const anyScan = fc.record({
  tid: fc.constantFrom('b0', 'b1', ' b1', 'b2', 'B2', '4006381333931', '4006381333930'),
  sid: fc.constantFrom('101', '102'),
  userid: fc.constantFrom('7', '8'),
  udid: fc.constantFrom('d1', 'd2'),
  status: fc.constantFrom('1', '0', '-1'),
  'answers[5]': fc.constantFrom('1', '2.0', '3', 'many'),
  zone: fc.constantFrom('VIP', 'vip north', 'stand'),
});

const anyRules = fc
  .record({
    rules: fc.shuffledSubarray([...rules], { minLength: 0, maxLength: 6 }),
    off: fc.nat(5),
    match: fc.constantFrom('first' as const, 'all' as const),
  })
  .map(
    ({ rules: some, off, match }): RelaySettings =>
      relaySettingsSchema.parse({ match, rules: some.map((each, at) => ({ ...each, on: at !== off })) }),
  );

onEachDatabase('what a relay’s window is told', (databases) => {
  let store: Store;
  let insight: RelayInsight;
  let intake: TestIntake;
  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    insight = createRelayInsight({ store, clock: systemClock });
    intake = await startIntake(store);
  }, 120_000);
  afterAll(async () => {
    await intake?.close();
    await store?.close();
  });

  const relays = () => relaysOf(store);
  const make = async (settings?: RelaySettings) => {
    const { relay, path } = await relays().create({ ...gate, ...(settings ? { settings } : {}) });
    return { relay, path };
  };
  const take = async (path: string, scan: Record<string, string>) => {
    expect((await postScan(intake.url + path, scanForm(scan))).status).toBe(200);
  };
  /** What a relay really posted: by scan, the channels and the rules. */
  const postsOf = async (relayId: string) => {
    const rows = await store.db
      .selectFrom('outbox')
      .innerJoin('scans', 'scans.id', 'outbox.scan_id')
      .select(['scans.id', 'scans.tid', 'outbox.channel', 'outbox.kind'])
      .where('outbox.relay_id', '=', relayId)
      .where('outbox.kind', 'in', ['scan', 'burst'])
      .orderBy('scans.id')
      .execute();
    return rows.map(({ tid, channel, kind }) => `${tid} ${kind} ${channel}`);
  };

  it('shows beforehand exactly what the relay then does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyScan, { minLength: 1, maxLength: 12 }), anyRules, async (scans, settings) => {
        const tried = await make();
        const real = await make(settings);
        for (const scan of scans) {
          await take(tried.path, scan);
          await take(real.path, scan);
        }
        const previewed = await insight.preview(tried.relay, settings);
        const shown = previewed
          .toReversed()
          .map(({ scan, posts }) => posts.map(({ kind, channel }) => `${scan.tid} ${kind} ${channel}`));
        expect(shown.flat().sort()).toEqual((await postsOf(real.relay.id)).sort());
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  it('tells which rule it was, and looks at the last 100 scans alone, test scans left out', async () => {
    const { relay, path } = await make();
    for (let n = 0; n < 105; n++) {
      await take(path, { tid: `n-${n}`, status: n % 2 === 0 ? '0' : '1' });
    }
    await take(path, { tid: 'SCANDESK-TEST-1', scandesk_test: '1' });
    const settings = relaySettingsSchema.parse({ rules: [rule('invalid', { kind: 'result', is: 'invalid' })] });
    const previewed = await insight.preview(relay, settings);
    expect(previewed).toHaveLength(100);
    expect(previewed[0]?.scan.tid).toBe('n-104');
    expect(previewed.at(-1)?.scan.tid).toBe('n-5');
    expect(previewed[0]?.posts.flatMap((post) => post.rules.map(({ id }) => id))).toEqual(['invalid']);
    expect(previewed[1]?.posts).toEqual([]);
  }, 60_000);

  it('knows what is watched and what a channel need not hear', async () => {
    const { relay, path } = await make();
    const attention = createAttentionStore(store.db);
    const now = systemClock.now();
    const common = { channel: 'C0DESK', who: 'U0ADA', madeAt: now, until: now + 60_000 };
    const tag = systemRandom.bytes(6).toString('hex');
    const watch = await attention.watch(owner, { ...common, id: `w${tag}`, value: tag }, 100);
    await take(path, { tid: tag });
    await take(path, { tid: `${tag} ` });
    const settings = relaySettingsSchema.parse({
      rules: [rule('value', { kind: 'value', is: ['nothing'] }), rule('watched', { kind: 'watched' })],
    });
    const [other, watched] = await insight.preview(relay, settings);
    expect(other?.posts).toEqual([]);
    expect(watched?.posts.map(({ channel }) => channel).sort()).toEqual(['C0DESK', 'C0WATCHED']);
    const mute = {
      ...common,
      id: `m${tag}`,
      channel: 'C0WATCHED',
      what: { kind: 'relay', relayId: relay.id },
    } as const;
    await attention.mute(owner, mute, 100);
    const [, muted] = await insight.preview(relay, settings);
    expect(muted?.posts.map(({ channel }) => channel)).toEqual(['C0DESK']);
    await attention.endWatch(owner, { who: watch?.who ?? '', channel: undefined }, watch?.id ?? '');
  });

  it('tells why posts were set aside or wait, and nobody else', async () => {
    const { relay, path } = await make();
    await take(path, { tid: 'one' });
    await take(path, { tid: 'two' });
    const outbox = createOutbox(store);
    await outbox.stayAlive('w', systemClock.now() + 60_000);
    const lane = { ...owner, channel: gate.channel };
    await outbox.claim('w', systemClock.now(), 10);
    const head = (await outbox.head(lane))!;
    const mine = await firstOf(store, relay.id);
    await outbox.aside({ ...head, ...mine }, 'slack.msg_too_long', 1_000);
    expect(await insight.report(relay)).toMatchObject({
      aside: [{ code: 'slack.msg_too_long', posts: 1, lastAt: 1_000 }],
    });
    expect((await insight.report({ ...relay, owner: stranger })).aside).toEqual([]);
    expect(await insight.fateOf(relay, 'one')).toMatchObject({ fate: 'aside', code: 'slack.msg_too_long' });
    expect(await insight.fateOf(relay, 'two')).toMatchObject({ fate: 'waiting' });
    expect(await insight.fateOf(relay, 'three')).toEqual({ fate: 'not_there' });
    await outbox.leave('w');
  });

  it('tells of addresses that were ended', async () => {
    const { relay } = await make();
    const { secret } = await relays().rotate(owner, relay.id);
    expect((await insight.report(relay)).ended).toEqual([]);
    await relays().endSecret(owner, relay.id, secret.id);
    const { ended } = await insight.report(relay);
    expect(ended).toMatchObject([{ id: secret.id, createdAt: secret.createdAt }]);
    expect((await insight.report({ ...relay, owner: stranger })).ended).toEqual([]);
  });
});

async function firstOf(store: Store, relayId: string) {
  const row = await store.db
    .selectFrom('outbox')
    .select(['seq', 'attempts', 'state'])
    .where('relay_id', '=', relayId)
    .orderBy('seq')
    .executeTakeFirstOrThrow();
  return { seq: row.seq, attempts: row.attempts, state: row.state };
}
