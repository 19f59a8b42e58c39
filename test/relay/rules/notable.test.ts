import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../../../src/clock.js';
import { silentLog } from '../../../src/log.js';
import { createMetrics } from '../../../src/metrics.js';
import type { Delivery } from '../../../src/posts/index.js';
import {
  createDelivery,
  createRelayStatus,
  createRelays,
  type DeliveryDeps,
  type DigestPost,
  type Post,
  relaySettingsSchema,
} from '../../../src/relay/index.js';
import type { Store } from '../../../src/workspaces/types.js';
import { type Channels, createChannels } from '../../helpers/channels.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { effort, longIt } from '../../helpers/effort.js';
import { clearOutbox, setPosts } from '../../helpers/outbox.js';
import { gate, owner, postScan, type RelayInput, scanForm, startIntake, stranger } from '../../helpers/relay.js';
import { wideIt } from '../../helpers/tier/wide-it.js';

const minute = 60_000;
const quick = {
  ...{ leaseMs: 600, heartbeatMs: 60, pollMs: 40, pollGapMs: 2, unconfirmedMs: 40, postTimeoutMs: 2_000 },
  ...{ leastBackoffMs: 20, longestBackoffMs: 200, holdMs: 60, parentEveryMs: 0, editGapMs: 0 },
};
const allDay = { zone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' };

interface Room {
  readonly store: Store;
  readonly channels: Channels;
  readonly relays: ReturnType<typeof createRelays>;
  /** Moves the clock of everything that was started. */
  pass(ms: number): void;
  now(): number;
  deliver(more?: Partial<DeliveryDeps>): Delivery;
  newRelay(settings: object, fields?: Partial<RelayInput>): Promise<TestRelay>;
  states(): Promise<Record<string, number>>;
}

interface TestRelay {
  readonly id: string;
  scan(fields: Record<string, string>): Promise<void>;
}

onEachDatabase('the posts of a relay', (databases) => {
  let url: string;
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    url = await databases.fresh();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  });

  const open = async (startAt = Date.UTC(2026, 4, 1, 12)): Promise<Room> => {
    const store = await openTestStore(url);
    closing.push(() => store.close());
    await clearOutbox(store);
    const tables = ['received_scans', 'relay_secrets', 'digests', 'silences', 'relays'] as const;
    for (const table of [...tables, 'rule_memories', 'watches', 'mutes', 'counters'] as const) {
      await store.db.deleteFrom(table).execute();
    }
    let shift = startAt - Date.now();
    const clock: Clock = { ...systemClock, now: () => Date.now() + shift };
    const channels = createChannels();
    const deliveries: Delivery[] = [];
    const onPosts = () => {
      for (const delivery of deliveries) {
        delivery.notify();
      }
    };
    const intake = await startIntake(store, { onPosts, clock });
    closing.push(() => intake.close());
    const relays = createRelays({ store, clock, random: systemRandom, onPosts });
    let instances = 0;
    return {
      store,
      channels,
      relays,
      pass(ms) {
        shift += ms;
      },
      now: () => clock.now(),
      deliver(more = {}) {
        instances += 1;
        const delivery = createDelivery({
          ...{ store, publisher: channels, clock, random: systemRandom, log: silentLog, metrics: createMetrics() },
          ...{ intervalMs: 0, instanceId: `worker-${instances}`, ...more, times: { ...quick, ...more.times } },
        });
        deliveries.push(delivery);
        delivery.start();
        closing.push(() => delivery.stop());
        return delivery;
      },
      async newRelay(settings, fields = {}) {
        const { relay, path } = await relays.create({
          ...gate,
          ...fields,
          settings: relaySettingsSchema.parse(settings),
        });
        return {
          id: relay.id,
          async scan(form) {
            const at = new Date(clock.now()).toISOString().slice(0, 19).replace('T', ' ');
            const { scanned_at_utc: _, ...rest } = scanForm();
            const answer = await postScan(`${intake.url}${path}`, { ...rest, scanned_at_utc: at, ...form });
            expect(answer.status).toBe(200);
          },
        };
      },
      async states() {
        const rows = await store.db
          .selectFrom('outbox')
          .select((eb) => ['state', eb.fn.countAll().as('n')])
          .groupBy('state')
          .execute();
        return Object.fromEntries(rows.map(({ state, n }) => [state, Number(n)]));
      },
    };
  };

  /** A device sends all submits of a scan with the scan’s time, however long they take. */
  const submit = { tid: 'a', scanid: '900', scanned_at_utc: '2026-05-01 12:00:00' };
  const rule = (fields: object) => ({ id: 'r1', name: 'The rule', channel: 'C1', when: { kind: 'every' }, ...fields });
  const numbers = (count: number, prefix = 'n') => Array.from({ length: count }, (_, n) => `${prefix}${n}`);
  const posted = (channels: Channels, kind?: Post['kind']): Post[] =>
    channels.posted.flatMap(({ post }) => (post && (kind === undefined || post.kind === kind) ? [post] : []));
  const eventually = <Value>(ask: () => Value | Promise<Value>) => expect.poll(ask, { interval: 20 });
  const valuesOf = (posts: readonly Post[]) => posts.map((post) => ('scan' in post ? post.scan?.tid : post.kind));

  it('a rule’s posts go to its channel with its mentions, and a scan that no rule matches is not posted', async () => {
    const { channels, deliver, newRelay } = await open();
    deliver();
    const relay = await newRelay({
      rules: [
        rule({ when: { kind: 'value', is: ['vip'] }, channel: 'CVIP', mention: { users: ['U1'], groups: ['S1'] } }),
        rule({ id: 'r2', when: { kind: 'result', is: 'invalid' } }),
      ],
    });
    const forms: Record<string, string>[] = [{ tid: 'plain' }, { tid: 'vip' }, { tid: 'bad', status: '0', text: 'no' }];
    for (const form of forms) {
      await relay.scan(form);
    }
    await eventually(() => channels.posted.length).toBe(2);
    expect([channels.in('CVIP'), channels.in('C1'), channels.in('C0GATE')]).toEqual([['vip'], ['bad'], []]);
    expect(posted(channels).find(({ channel }) => channel === 'CVIP')).toMatchObject({
      kind: 'scan',
      rules: [{ id: 'r1', name: 'The rule' }],
      mention: { users: ['U1'], groups: ['S1'] },
    });
  });

  wideIt('a barcode is first seen once, though a hundred scans of it arrive at once', async () => {
    const { channels, deliver, newRelay, states } = await open();
    deliver({ times: { digestAbove: 1_000 } });
    const relay = await newRelay({ rules: [rule({ when: { kind: 'first_seen' } })] });
    await Promise.all(numbers(100, 'd').map((udid) => relay.scan({ tid: 'same', udid })));
    await eventually(states).toEqual({ delivered: 1 });
    expect(channels.in('C1')).toEqual(['same']);
  });

  it('an alert is posted before the waiting scans of its channel, which are posted in order', async () => {
    const { channels, deliver, newRelay } = await open();
    const relay = await newRelay({
      rules: [rule({}), rule({ id: 'r2', when: { kind: 'burst', n: 5, minutes: 10 } })],
    });
    for (const tid of numbers(40)) {
      await relay.scan({ tid, status: '0', text: 'no' });
    }
    deliver({ times: { digestAbove: 1_000 } });
    await eventually(() => posted(channels, 'scan').length).toBe(40);
    expect(posted(channels)[0]?.kind).toBe('burst');
    expect(valuesOf(posted(channels, 'scan'))).toEqual(numbers(40));
  });

  describe('digests', () => {
    it('a digest collects scans, and then is posted once with their number and the first of them', async () => {
      const { channels, deliver, newRelay, pass, states } = await open();
      deliver();
      const relay = await newRelay({ rules: [rule({ how: 'digest', digestMinutes: 15 })] });
      for (const [n, tid] of numbers(11).entries()) {
        await relay.scan({ tid, sid: n < 3 ? '101' : '102', status: n === 0 ? '0' : '1', text: '' });
      }
      expect(await states()).toEqual({ digested: 11 });
      pass(14 * minute);
      await relay.scan({ tid: 'last', sid: '101' });
      expect(channels.posted).toEqual([]);
      pass(1 * minute + 1);
      await eventually(states).toEqual({ digested: 12, delivered: 1 });
      const [digest] = posted(channels, 'digest') as DigestPost[];
      expect(digest).toMatchObject({
        channel: 'C1',
        why: 'collected',
        tally: {
          scans: 12,
          findings: [
            { finding: 'valid', count: 11 },
            { finding: 'invalid', count: 1 },
          ],
          services: [
            { serviceId: '102', count: 8 },
            { serviceId: '101', count: 4 },
          ],
        },
      });
      expect(digest!.first.map(({ tid }) => tid)).toEqual(numbers(10));
      // The next digest begins with the next scan.
      await relay.scan({ tid: 'new' });
      pass(15 * minute + 1);
      await eventually(() => posted(channels, 'digest').map((post) => (post as DigestPost).tally.scans)).toEqual([
        12, 1,
      ]);
    });

    it('a digest of quiet hours is posted when they are over, before later posts', async () => {
      const quiet = { zone: 'UTC', days: [5], from: '11:00', to: '12:30' };
      const { channels, newRelay, pass, deliver, states } = await open();
      const relay = await newRelay({ rules: [rule({ quiet })] });
      await relay.scan({ tid: 'a' });
      await relay.scan({ tid: 'b' });
      pass(31 * minute);
      // No timer has run yet: the scan itself finds the digest overdue.
      await relay.scan({ tid: 'c' });
      deliver();
      await eventually(states).toEqual({ digested: 2, delivered: 2 });
      expect(posted(channels).map(({ kind }) => kind)).toEqual(['digest', 'scan']);
      expect(posted(channels)[0]).toMatchObject({ why: 'quiet', tally: { scans: 2 } });
    });

    wideIt('a digest is posted once though two instances run, and loses no scan that arrives meanwhile', async () => {
      const { channels, deliver, newRelay, pass, store } = await open();
      deliver();
      deliver();
      const relay = await newRelay({ rules: [rule({ how: 'digest', digestMinutes: 1 })] });
      const sent: Promise<void>[] = [];
      for (const [n, tid] of numbers(60).entries()) {
        sent.push(relay.scan({ tid }));
        if (n % 20 === 19) {
          pass(1 * minute + 1);
          await new Promise((resolve) => setTimeout(resolve, 60));
        }
      }
      await Promise.all(sent);
      pass(2 * minute);
      const open_ = async () => Number((await store.db.selectFrom('digests').selectAll().execute()).length);
      await eventually(open_).toBe(0);
      const told = () => posted(channels, 'digest').reduce((sum, post) => sum + (post as DigestPost).tally.scans, 0);
      await eventually(told).toBe(60);
      const shown = posted(channels, 'digest').map(({ key }) => key);
      expect(new Set(shown).size).toBe(shown.length);
    });

    it('a digest is deleted with its relay', async () => {
      const { channels, deliver, newRelay, pass, relays, store } = await open();
      const relay = await newRelay({ rules: [rule({ how: 'digest', digestMinutes: 1 })] });
      await relay.scan({ tid: 'a' });
      await relays.remove(owner, relay.id);
      pass(2 * minute);
      deliver();
      await eventually(() => store.db.selectFrom('digests').selectAll().execute()).toEqual([]);
      expect(channels.posted).toEqual([]);
    });
  });

  describe('silence', () => {
    const silent = (fields: object = {}) => ({ kind: 'silence', of: 'relay', minutes: 10, hours: allDay, ...fields });

    it('missing scans are reported once, and again only after another scan', async () => {
      const { channels, deliver, newRelay, pass } = await open();
      deliver();
      deliver();
      const relay = await newRelay({ rules: [rule({ when: silent() })] });
      const told = () => posted(channels, 'silence').length;
      await relay.scan({ tid: 'a' });
      pass(9 * minute);
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(told()).toBe(0);
      pass(1 * minute);
      await eventually(told).toBe(1);
      for (let n = 0; n < 4; n++) {
        pass(10 * minute);
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
      expect(told()).toBe(1);
      await relay.scan({ tid: 'b' });
      pass(10 * minute);
      await eventually(told).toBe(2);
    });

    it('missing scans of one device are still reported when another device scans', async () => {
      const { channels, deliver, newRelay, pass, now } = await open();
      deliver();
      const relay = await newRelay({ rules: [rule({ when: silent({ of: 'device', ids: ['D1', 'D2'] }) })] });
      await relay.scan({ tid: 'a', udid: 'D1' });
      const since = now();
      for (let n = 0; n < 3; n++) {
        pass(4 * minute);
        await relay.scan({ tid: `b${n}`, udid: 'D2' });
      }
      await eventually(() => posted(channels, 'silence').length).toBe(1);
      const [post] = posted(channels, 'silence');
      expect(post).toMatchObject({ kind: 'silence', silence: { of: 'device', id: 'D1', minutes: 10 } });
      const told = post?.kind === 'silence' ? post.silence.since : 0;
      expect(Math.abs(told - since)).toBeLessThan(minute);
    });

    it('missing scans are not reported once their rule is removed', async () => {
      const { channels, deliver, newRelay, pass, relays, store } = await open();
      const relay = await newRelay({ rules: [rule({ when: silent() })] });
      await relays.change(owner, relay.id, { settings: relaySettingsSchema.parse({}) });
      expect(await store.db.selectFrom('silences').selectAll().execute()).toEqual([]);
      pass(60 * minute);
      deliver();
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect(channels.posted).toEqual([]);
    });
  });

  it('a burst alert is posted once though 30 invalid scans arrive at once', async () => {
    const { channels, deliver, newRelay, pass } = await open();
    deliver();
    const relay = await newRelay({ rules: [rule({ when: { kind: 'burst', n: 10, minutes: 5 } })] });
    await Promise.all(numbers(30).map((tid) => relay.scan({ tid, status: '0', text: 'no' })));
    const bursts = () => posted(channels, 'burst').length;
    await eventually(bursts).toBe(1);
    pass(5 * minute + 1);
    await Promise.all(numbers(10, 'm').map((tid) => relay.scan({ tid, status: '0', text: 'no' })));
    await eventually(bursts).toBe(2);
    expect(posted(channels, 'burst')[0]).toMatchObject({ burst: { n: 10, minutes: 5 } });
  });

  it('a scan’s post becomes a reply under a card of the day, which counts its scans', async () => {
    const { channels, deliver, newRelay, pass, states } = await open();
    deliver();
    const relay = await newRelay({ rules: [rule({ how: 'thread' })] });
    for (const tid of numbers(3)) {
      await relay.scan({ tid });
    }
    await eventually(states).toEqual({ delivered: 4 });
    const [card, ...replies] = posted(channels);
    expect([card!.kind, valuesOf(replies)]).toEqual(['card', numbers(3)]);
    expect(new Set(replies.map(({ threadTs }) => threadTs))).toEqual(new Set(['1.000000']));
    const counted = () => {
      const shown = [card, ...channels.edited.map(({ post }) => post)].at(-1);
      return shown?.kind === 'card' ? shown.tally.scans : -1;
    };
    await eventually(counted).toBe(3);
    pass(24 * 60 * minute);
    await relay.scan({ tid: 'tomorrow' });
    await eventually(() => posted(channels, 'card').length).toBe(2);
  });

  describe('a channel that cannot keep up', () => {
    it('a channel far behind gets one relay’s 25 scans in one digest, and another relay’s scan alone', async () => {
      const { channels, deliver, newRelay, states } = await open();
      const relay = await newRelay({});
      const other = await newRelay({}, { serviceName: 'Side gate' });
      for (const tid of numbers(25)) {
        await relay.scan({ tid });
      }
      await other.scan({ tid: 'alone' });
      deliver();
      await eventually(states).toEqual({ digested: 25, delivered: 2 });
      const posts = posted(channels);
      expect(posts.map(({ kind }) => kind)).toEqual(['scan', 'digest']);
      expect(valuesOf(posts)[0]).toBe('alone');
      expect(posts[1]).toMatchObject({ why: 'behind', tally: { scans: 25 } });
      // The channel keeps up again.
      await relay.scan({ tid: 'after' });
      await eventually(() => valuesOf(posted(channels)).at(-1)).toBe('after');
    });

    it('a digest of a channel far behind lists for each watcher who scanned the watched barcode', async () => {
      const { channels, deliver, newRelay, relays, states } = await open();
      const relay = await newRelay({});
      const watch = { value: 'watched', channel: gate.channel, forMs: 60 * minute };
      await relays.watches.watch(owner, { ...watch, who: 'U1' });
      await relays.watches.watch(owner, { ...watch, who: 'U2' });
      for (const tid of numbers(23)) {
        await relay.scan({ tid });
      }
      for (const userid of ['7', '8']) {
        await relay.scan({ tid: 'watched', userid });
      }
      deliver();
      await eventually(states).toEqual({ digested: 25, delivered: 1 });
      const [digest] = posted(channels, 'digest');
      expect(digest).toMatchObject({
        watchers: ['U1', 'U2'],
        watched: [
          { who: 'U1', by: '7' },
          { who: 'U2', by: '7' },
          { who: 'U1', by: '8' },
          { who: 'U2', by: '8' },
        ],
      });
    });

    it('a digest of a channel far behind leaves out posts that may be in the channel already', async () => {
      const { channels, deliver, newRelay, states } = await open();
      channels.script('C0GATE', { accepted: true, says: { outcome: 'unconfirmed', code: 'test.unheard' } });
      const relay = await newRelay({});
      await relay.scan({ tid: 'doubtful' });
      deliver();
      await eventually(() => channels.posted.length).toBe(1);
      await Promise.all(numbers(30).map((tid) => relay.scan({ tid })));
      const told = () => {
        const digests = posted(channels, 'digest') as DigestPost[];
        return digests.reduce((sum, { tally }) => sum + tally.scans, 0) + posted(channels, 'scan').length;
      };
      await eventually(told).toBe(31);
      await eventually(async () => {
        const { pending = 0, sending = 0, unconfirmed = 0 } = await states();
        return pending + sending + unconfirmed;
      }).toBe(0);
      expect(told()).toBe(31);
      expect(valuesOf(posted(channels)).filter((tid) => tid === 'doubtful')).toHaveLength(1);
    });
  });

  describe('a message', () => {
    it('a message finally shows the second submit’s answers, and is updated only for changed answers', async () => {
      const { channels, deliver, newRelay, states } = await open();
      channels.scriptEdit({ outcome: 'retry', code: 'test.later' });
      const relay = await newRelay({});
      await relay.scan(submit);
      deliver();
      await eventually(states).toEqual({ delivered: 1 });
      await relay.scan({ ...submit, 'answers[12]': 'one' });
      await relay.scan({ ...submit, 'answers[12]': 'one', 'answers[13]': 'two' });
      const shown = () => {
        const last = channels.edited.at(-1)?.post;
        return last?.kind === 'scan' ? last.scan.answers.map(({ answer }) => answer) : [];
      };
      await eventually(shown).toEqual(['one', 'two']);
      expect(channels.posted).toHaveLength(1);
      expect(new Set(channels.edited.map(({ ts }) => ts))).toEqual(new Set(['1.000000']));
    });

    it('a message that was not yet sent when its scan was completed needs no update', async () => {
      const { channels, deliver, newRelay, states, store } = await open();
      const relay = await newRelay({});
      await relay.scan(submit);
      await relay.scan({ ...submit, 'answers[12]': 'one' });
      deliver();
      await eventually(states).toEqual({ delivered: 1 });
      expect(posted(channels)[0]).toMatchObject({ scan: { answers: [{ questionId: '12', answer: 'one' }] } });
      const rows = await store.db.selectFrom('message_updates').select('due_at').execute();
      expect(rows).toEqual([{ due_at: null }]);
      expect(channels.edited).toEqual([]);
    });

    it('a message whose scan is completed while it is being sent is updated once it has arrived', async () => {
      const { channels, deliver, newRelay } = await open();
      const relay = await newRelay({});
      await relay.scan(submit);
      channels.onPost = () => relay.scan({ ...submit, 'answers[12]': 'one' });
      deliver();
      await eventually(() => channels.edited.length).toBe(1);
      expect(posted(channels)[0]).toMatchObject({ scan: { answers: [] } });
      expect(channels.edited[0]!.post).toMatchObject({ scan: { answers: [{ answer: 'one' }] } });
    });

    it('a rule about an answer posts a message when the second submit brings the answer', async () => {
      const { channels, deliver, newRelay, states } = await open();
      deliver();
      const relay = await newRelay({ rules: [rule({ when: { kind: 'answer', how: 'above', to: '38' } })] });
      await relay.scan(submit);
      await relay.scan({ ...submit, 'answers[12]': '39.5' });
      await eventually(states).toEqual({ delivered: 1 });
      await relay.scan({ ...submit, 'answers[12]': '39.5', 'answers[13]': 'x' });
      await eventually(() => channels.edited.length).toBeGreaterThan(0);
      expect(channels.in('C1')).toEqual(['a']);
    });

    it('a message shows the first person who acknowledged it; another workspace cannot acknowledge it', async () => {
      const { channels, deliver, newRelay, relays, states } = await open();
      deliver();
      await (await newRelay({})).scan({ tid: 'a' });
      await eventually(states).toEqual({ delivered: 1 });
      const { key } = channels.posted[0]!;
      expect(await relays.postActions.acknowledge(stranger, key, 'U9')).toBeUndefined();
      const all = await Promise.all(['U1', 'U2', 'U3'].map((who) => relays.postActions.acknowledge(owner, key, who)));
      expect(all.filter((one) => one?.first)).toHaveLength(1);
      expect(new Set(all.map((one) => one?.by)).size).toBe(1);
      await eventually(() => channels.edited.at(-1)?.post).toMatchObject({ acknowledged: { by: all[0]!.by } });
      expect(await relays.postActions.find(owner, key)).toMatchObject({
        scan: { tid: 'a' },
        acknowledged: { by: all[0]!.by },
      });
      expect(await relays.postActions.find(stranger, key)).toBeUndefined();
    });

    it('a deleted message is not updated', async () => {
      const { channels, deliver, newRelay, relays, states, store } = await open();
      deliver();
      channels.scriptEdit({ outcome: 'refused', code: 'slack.message_not_found' });
      await (await newRelay({})).scan({ tid: 'a' });
      await eventually(states).toEqual({ delivered: 1 });
      await relays.postActions.acknowledge(owner, channels.posted[0]!.key, 'U1');
      await eventually(() => store.db.selectFrom('message_updates').select('due_at').execute()).toEqual([
        { due_at: null },
      ]);
      expect(channels.edited).toEqual([]);
    });
  });

  it('a watch posts scans of its barcode in its channel until it is stopped or expires', async () => {
    const { channels, deliver, newRelay, pass, relays } = await open();
    deliver();
    const relay = await newRelay({ rules: [rule({ on: false })] });
    const long = 'x'.repeat(3_000);
    const ask = { channel: 'CDESK', who: 'U7', forMs: 60 * minute };
    const watch = await relays.watches.watch(owner, { ...ask, value: '0012' });
    await relays.watches.watch(owner, { ...ask, value: long });
    await relays.watches.watch(stranger, { ...ask, value: 'theirs' });
    for (const tid of ['12', '0012', 'theirs', `${long}y`, long]) {
      await relay.scan({ tid });
    }
    await eventually(() => channels.in('CDESK')).toEqual(['0012', long]);
    expect(posted(channels)[0]).toMatchObject({ watchers: ['U7'], mention: { users: ['U7'] } });
    const maker = { who: 'U7', channel: undefined };
    expect(await relays.watches.stop(stranger, maker, watch.id)).toBeUndefined();
    await relays.watches.stop(owner, maker, watch.id);
    await relay.scan({ tid: '0012' });
    pass(61 * minute);
    await relay.scan({ tid: long });
    await relay.scan({ tid: 'nobody’s' });
    expect(await relays.watches.list(owner, maker)).toEqual([]);
    expect(channels.posted).toHaveLength(2);
  });

  it('a mute keeps posts of its barcode or rule out of its channel until the mute is over', async () => {
    const { channels, deliver, newRelay, pass, relays } = await open();
    deliver();
    const relay = await newRelay({ match: 'all', rules: [rule({}), rule({ id: 'r2', channel: 'C2' })] });
    const ask = { who: 'U1', forMs: 60 * minute };
    await relays.mutes.mute(owner, { ...ask, channel: 'C1', what: { kind: 'value', value: 'loud' } });
    await relays.mutes.mute(owner, { ...ask, channel: 'C2', what: { kind: 'rule', relayId: relay.id, ruleId: 'r2' } });
    await relays.mutes.mute(stranger, { ...ask, channel: 'C1', what: { kind: 'value', value: 'fine' } });
    await relay.scan({ tid: 'loud' });
    await relay.scan({ tid: 'fine' });
    await eventually(() => channels.posted.map(({ tid, channel }) => `${tid} ${channel}`)).toEqual(['fine C1']);
    pass(61 * minute);
    await relay.scan({ tid: 'loud' });
    await eventually(() => channels.posted.length).toBe(3);
  });

  it('a waiting post moves to the channel of its rule when the rule’s channel changes', async () => {
    const { channels, deliver, newRelay, relays, states, store } = await open();
    const relay = await newRelay({ match: 'all', rules: [rule({}), rule({ id: 'r2', channel: 'C2' })] });
    await relay.scan({ tid: 'a' });
    const settings = relaySettingsSchema.parse({
      match: 'all',
      rules: [rule({ channel: 'C9' }), rule({ id: 'r2', channel: 'C2' })],
    });
    await relays.change(owner, relay.id, { settings, channel: 'C0NEW' });
    deliver();
    await eventually(() => channels.posted.map(({ channel }) => channel).sort()).toEqual(['C2', 'C9']);
    await eventually(states).toEqual({ delivered: 2 });
    await setPosts(store, { state: 'dead', finished_at: 1 }).execute();
    expect(await relays.replay(owner, relay.id)).toBe(2);
    await eventually(() => channels.posted.map(({ channel }) => channel).sort()).toEqual(['C2', 'C2', 'C9', 'C9']);
  });

  it('a deleted channel is blocked for a rule’s posts, and makes posts of a watch dead letters', async () => {
    const gone = { accepted: false, says: { outcome: 'gone', why: 'channel_gone', code: 'test.gone' } } as const;
    const { channels, deliver, newRelay, relays, states } = await open();
    deliver();
    channels.script('CWATCH', gone);
    const relay = await newRelay({ rules: [rule({})] });
    const blocked = async () => (await relays.get(owner, relay.id))!.blocked.map(({ channel }) => channel);
    await relays.watches.watch(owner, { value: 'w', channel: 'CWATCH', who: 'U1', forMs: minute });
    await relay.scan({ tid: 'w' });
    await eventually(states).toEqual({ delivered: 1, dead: 1 });
    expect(await blocked()).toEqual([]);
    channels.script('C1', gone);
    await relay.scan({ tid: 'b' });
    await eventually(blocked).toEqual(['C1']);
    expect((await relays.get(owner, relay.id))!.relay.paused).toBeUndefined();
  });

  longIt('the preview of a relay’s own rules shows exactly the posts that the relay made', async () => {
    const { newRelay, relays, store, pass } = await open();
    const condition = fc.constantFrom<object>(
      { kind: 'every' },
      { kind: 'result', is: 'invalid' },
      { kind: 'result', is: 'duplicate' },
      { kind: 'value', is: ['A', 'B'] },
      { kind: 'value_pattern', pattern: '^[A-C]$' },
      { kind: 'check_digit' },
      { kind: 'from', what: 'device', ids: ['D1'] },
      { kind: 'answer', how: 'above', to: '2' },
      { kind: 'property', name: 'zone', how: 'equals', to: 'x' },
      { kind: 'first_seen' },
      { kind: 'nth', n: 2, of: 'value' },
      { kind: 'nth', n: 3, of: 'device', again: false },
      { kind: 'nth', n: 4, of: 'relay' },
      { kind: 'burst', n: 3, minutes: 60 },
      { kind: 'outside_hours', hours: { zone: 'UTC', days: [5], from: '08:00', to: '12:10' } },
    );
    const anyRule = fc.record({
      when: condition,
      channel: fc.constantFrom('C1', 'C2', 'C3'),
      how: fc.constantFrom('each', 'thread', 'digest'),
    });
    const anyScan = fc.record(
      {
        tid: fc.constantFrom('A', 'B', 'C', 'D', '4006381333932'),
        udid: fc.constantFrom('D1', 'D2'),
        status: fc.constantFrom('1', '0', '-1'),
        'answers[1]': fc.constantFrom('1', '3'),
        zone: fc.constantFrom('x', 'y'),
      },
      { requiredKeys: ['tid', 'udid'] },
    );
    const insight = createRelayStatus({ store, clock: systemClock, lateHours: 24 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRule, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('first', 'all'),
        fc.array(anyScan, { minLength: 1, maxLength: 12 }),
        async (rules, match, scans) => {
          const settings = { match, rules: rules.map((one, n) => ({ id: `rule${n}`, ...one })) };
          const relay = await newRelay(settings);
          for (const form of scans) {
            pass(2_000);
            await relay.scan(form as Record<string, string>);
          }
          const rows = await store.db
            .selectFrom('outbox')
            .select(['scan_id', 'channel', 'rule_id', 'kind'])
            .where('source_id', '=', relay.id)
            .where('kind', 'in', ['scan', 'burst'])
            .execute();
          const did = rows.map((row) => `${row.scan_id} ${row.kind} ${row.channel} ${row.rule_id}`).sort();
          const { relay: whole } = (await relays.get(owner, relay.id))!;
          const shown = (await insight.preview(whole, whole.settings)).flatMap(({ scan, posts }) =>
            posts.map((post) => `${scan.id} ${post.kind} ${post.channel} ${post.rules[0]?.id}`),
          );
          expect(shown.sort()).toEqual(did);
        },
      ),
      { numRuns: effort(databases.kind === 'sqlite' ? { short: 10, long: 40 } : { short: 4, long: 15 }) },
    );
  });
});
