import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { createOutbox } from '../../../src/posts/outbox/outbox.js';
import {
  createRelayStatus,
  type RelaySettings,
  type RelayStatus,
  type Rule,
  relaySettingsSchema,
  ruleSchema,
} from '../../../src/relay/index.js';
import { createWatchAndMuteStore, type Muted } from '../../../src/watches/watch-and-mute-rows.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { effort } from '../../helpers/effort.js';
import {
  gate,
  owner,
  postScan,
  relaysOf,
  scanForm,
  startIntake,
  stranger,
  type TestIntake,
} from '../../helpers/relay.js';
import { wideIt } from '../../helpers/tier/wide-it.js';

const rule = (id: string, when: unknown, more: Partial<Rule> = {}) =>
  ruleSchema.parse({ id, when, channel: `C0${id.toUpperCase()}`, ...more });

/** Rules about single scans and one about bursts, each in a channel of its own. */
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

onEachDatabase('the status of a relay', (databases) => {
  let store: Store;
  let insight: RelayStatus;
  let intake: TestIntake;
  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    insight = createRelayStatus({ store, clock: systemClock, lateHours: 24 });
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
  /** The posts of a relay in the order of their scans, each as its barcode, kind and channel. */
  const postsOf = async (relayId: string) => {
    const rows = await store.db
      .selectFrom('outbox')
      .innerJoin('received_scans as scans', 'scans.id', 'outbox.scan_id')
      .select(['scans.id', 'scans.tid', 'outbox.channel', 'outbox.kind'])
      .where('outbox.source_id', '=', relayId)
      .where('outbox.kind', 'in', ['scan', 'burst'])
      .orderBy('scans.id')
      .execute();
    return rows.map(({ tid, channel, kind }) => `${tid} ${kind} ${channel}`);
  };

  it('the preview of rules shows exactly the posts that a relay with these rules makes of the same scans', async () => {
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
      { numRuns: effort({ short: 6, long: 25 }) },
    );
  }, 120_000);

  it('a preview has a scan once that the account recorded a second from the relay’s time', async () => {
    const { relay, path } = await make();
    await take(path, { tid: 'twice', scanned_at_utc: '2026-05-02 10:00:01' });
    const at = Date.UTC(2026, 4, 2, 10);
    const recorded = async () =>
      [at, at - 3_600_000].map((time) => ({ value: 'twice', serviceId: '101', text: '', at: time }));
    expect(await insight.preview(relay, undefined, { recorded })).toHaveLength(2);
  });

  wideIt(
    'a preview shows the posts of saved rules: barcodes count from the start, the rest from the saving',
    async () => {
      const counting = [
        rule('first', { kind: 'first_seen' }),
        rule('again', { kind: 'result', is: 'duplicate' }),
        ...(['relay', 'device', 'user', 'service', 'value'] as const).flatMap((of) => [
          rule(`two${of}`, { kind: 'nth', n: 2, of }),
          rule(`only${of}`, { kind: 'nth', n: 3, of, again: false }),
        ]),
      ];
      const test = { tid: 'SCANDESK-TEST-1', scandesk_test: '1' };
      const scans = fc.array(
        fc.tuple(anyScan, fc.integer({ min: 0, max: 9 })).map(([scan, n]) => (n === 0 ? { ...scan, ...test } : scan)),
        { minLength: 1, maxLength: 10 },
      );
      const judging = fc.constantFrom<object>(
        { kind: 'accept' },
        { kind: 'list', values: ['b0', 'B1', 'b2'], exact: false },
      );
      await fc.assert(
        fc.asyncProperty(
          scans,
          scans,
          fc.subarray(counting, { minLength: 1 }),
          judging,
          async (older, newer, some, by) => {
            const { relay, path } = await make();
            for (const scan of older) {
              await take(path, scan);
            }
            const settings = relaySettingsSchema.parse({ match: 'all', rules: some, judging: by });
            await relays().change(owner, relay.id, { settings });
            const before = (await postsOf(relay.id)).length;
            for (const scan of newer) {
              await take(path, scan);
            }
            const shownOf = newer.filter(({ tid }) => tid !== test.tid).length;
            const previewed = (await insight.preview(relay, settings)).slice(0, shownOf).toReversed();
            const shown = previewed.flatMap(({ scan, posts }) =>
              posts.map(({ channel }) => `${scan.tid} scan ${channel}`),
            );
            const posted = (await postsOf(relay.id)).slice(before).filter((post) => !post.startsWith(test.tid));
            expect(shown.sort()).toEqual(posted.sort());
          },
        ),
        { numRuns: effort({ short: 6, long: 25 }) },
      );
    },
    120_000,
  );

  wideIt(
    'the preview of a relay recognizes a barcode that was scanned before the previewed scans',
    async () => {
      const { relay, path } = await make();
      await take(path, { tid: 'long ago' });
      for (let n = 0; n < 125; n++) {
        await take(path, { tid: `since-${n}` });
      }
      await take(path, { tid: 'long ago' });
      const settings = relaySettingsSchema.parse({ rules: [rule('first', { kind: 'first_seen' })] });
      const [last, one] = await insight.preview(relay, settings);
      expect([last?.scan.tid, last?.posts.length]).toEqual(['long ago', 0]);
      expect([one?.scan.tid, one?.posts.length]).toEqual(['since-124', 1]);
    },
    60_000,
  );

  wideIt(
    'the preview of a relay names the matching rule, and reads the last 100 scans without test scans',
    async () => {
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
    },
    60_000,
  );

  it('the preview of a relay applies watches and mutes', async () => {
    const { relay, path } = await make();
    const attention = createWatchAndMuteStore(store.db);
    const now = systemClock.now();
    const common = { channel: 'C0DESK', who: 'U0ADA', madeAt: now, until: now + 60_000 };
    const tag = systemRandom.bytes(6).toString('hex');
    const watch = await attention.watches.add(owner, { ...common, id: `w${tag}`, value: tag }, 100);
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
    await attention.mutes.add(owner, mute, 100);
    const [, muted] = await insight.preview(relay, settings);
    expect(muted?.posts.map(({ channel }) => channel)).toEqual(['C0DESK']);
    await attention.watches.end(owner, { who: watch?.who ?? '', channel: undefined }, watch?.id ?? '');
  });

  it('a relay’s preview shows which posts a mute leaves out, and its status shows the muted channels', async () => {
    const rules = [rule('loud', { kind: 'every' })];
    const { relay, path } = await make(relaySettingsSchema.parse({ rules }));
    await take(path, { tid: 'kept-out' });
    const [free] = await insight.preview(relay, relay.settings);
    expect(free).not.toHaveProperty('unmuted');
    const attention = createWatchAndMuteStore(store.db);
    const now = systemClock.now();
    const tag = systemRandom.bytes(6).toString('hex');
    const mute = (id: string, channel: string, what: Muted) =>
      attention.mutes.add(
        owner,
        { id: `${tag}${id}`, channel, what, who: 'U0ADA', madeAt: now, until: now + 60_000 },
        100,
      );
    await mute('rule', 'C0LOUD', { kind: 'rule', relayId: relay.id, ruleId: 'loud' });
    await mute('value', 'C0LOUD', { kind: 'value', value: 'another' });
    await mute('elsewhere', 'C0ELSEWHERE', { kind: 'value', value: 'kept-out' });
    const [muted] = await insight.preview(relay, relay.settings);
    expect(muted?.posts).toEqual([]);
    expect(muted?.unmuted?.map(({ channel }) => channel)).toEqual(['C0LOUD']);
    expect((await insight.report(relay)).muted).toEqual(['C0LOUD', 'C0LOUD']);
    expect((await insight.report({ ...relay, owner: stranger })).muted).toEqual([]);
  });

  it('an owner’s relays can be named after they were removed', async () => {
    const { relay } = await make(relaySettingsSchema.parse({ rules: [rule('named', { kind: 'every' })] }));
    await relays().remove(owner, relay.id);
    const known = await insight.named(owner, [relay.id, 'unheard-of']);
    expect([...known]).toMatchObject([[relay.id, { serviceName: 'Main gate', rules: [{ id: 'named' }] }]]);
    expect((await insight.named(stranger, [relay.id])).size).toBe(0);
  });

  it('a relay’s status tells its owner alone why posts were not delivered', async () => {
    const { relay, path } = await make();
    await take(path, { tid: 'one' });
    await take(path, { tid: 'two' });
    const outbox = createOutbox(store);
    await outbox.heartbeat('w', systemClock.now() + 60_000);
    const lane = { ...owner, channel: gate.channel };
    await outbox.claim('w', systemClock.now(), 10);
    const head = (await outbox.head(lane))!;
    const mine = await firstOf(store, relay.id);
    await outbox.reject({ ...head, ...mine }, 'slack.msg_too_long', 1_000);
    expect(await insight.report(relay)).toMatchObject({
      deadLetters: [{ code: 'slack.msg_too_long', posts: 1, lastAt: 1_000 }],
    });
    expect((await insight.report({ ...relay, owner: stranger })).deadLetters).toEqual([]);
    expect(await insight.testPost(relay, 'one')).toMatchObject({ state: 'dead', code: 'slack.msg_too_long' });
    expect(await insight.testPost(relay, 'two')).toMatchObject({ state: 'pending' });
    expect(await insight.testPost(relay, 'three')).toEqual({ state: 'not_there' });
    await outbox.removeWorker('w');
  });

  it('a relay’s status reports webhook URLs that were revoked', async () => {
    const { relay } = await make();
    const { secret } = await relays().addSecret(owner, relay.id);
    expect((await insight.report(relay)).revokedSecrets).toEqual([]);
    await relays().revokeSecret(owner, relay.id, secret.id);
    const { revokedSecrets: ended } = await insight.report(relay);
    expect(ended).toMatchObject([{ id: secret.id, createdAt: secret.createdAt }]);
    expect((await insight.report({ ...relay, owner: stranger })).revokedSecrets).toEqual([]);
  });
});

async function firstOf(store: Store, relayId: string) {
  const row = await store.db
    .selectFrom('outbox')
    .select(['seq', 'attempts', 'state'])
    .where('source_id', '=', relayId)
    .orderBy('seq')
    .executeTakeFirstOrThrow();
  return { seq: row.seq, attempts: row.attempts, state: row.state };
}
