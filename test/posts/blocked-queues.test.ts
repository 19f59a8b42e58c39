import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../../src/clock.js';
import type { PostState } from '../../src/database/schema.js';
import { silentLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics.js';
import type { Delivery } from '../../src/posts/index.js';
import { createDelivery, createRelays, type Relays, relaySettingsSchema } from '../../src/relay/index.js';
import type { Store } from '../../src/workspaces/types.js';
import { type Channels, createChannels, type Script, tidOf } from '../helpers/channels.js';
import { onEachDatabase, openTestStore, type TestDatabases } from '../helpers/databases.js';
import { gate, owner, postScan, type RelayInput, scanForm, startIntake } from '../helpers/relay.js';

const minute = 60_000;
const day = 24 * 60 * minute;
const quick = { ...{ leaseMs: 300, heartbeatMs: 60, pollMs: 50, pollGapMs: 2 }, leastBackoffMs: 20 };
const archived: Script = {
  accepted: false,
  says: { outcome: 'gone', why: 'channel_gone', code: 'slack.is_archived' },
};

onEachDatabase('a channel that takes no posts', (databases: TestDatabases) => {
  const closing: (() => Promise<void>)[] = [];
  let store: Store;
  let channels: Channels;
  let relays: Relays;
  let deliveries: Delivery[];
  let clock: Clock;
  let pass: (ms: number) => void;
  /** When a post was tried in each channel, by the clock of the test. */
  let tries: { channel: string; at: number; tid: string }[];
  /** The channels that refuse every post. */
  let closed: Set<string>;
  let newRelay: (
    fields?: Partial<RelayInput>,
  ) => Promise<{ id: string; scan: (tid: string, more?: Record<string, string>) => Promise<unknown> }>;

  const onPosts = () => {
    for (const delivery of deliveries) {
      delivery.notify();
    }
  };

  beforeEach(async () => {
    store = await openTestStore(await databases.fresh());
    closing.push(() => store.close());
    let shift = 0;
    clock = { ...systemClock, now: () => Date.now() + shift, steady: () => performance.now() + shift };
    pass = (ms) => {
      shift += ms;
    };
    deliveries = [];
    tries = [];
    closed = new Set();
    channels = createChannels();
    const { post: usual } = channels;
    channels.post = async (post, signal) => {
      tries.push({ channel: post.channel, at: clock.now(), tid: post.kind === 'notice' ? post.kind : tidOf(post) });
      return closed.has(post.channel) ? (archived.says as never) : await usual(post, signal);
    };
    relays = createRelays({ store, clock, random: systemRandom, onPosts });
    const intake = await startIntake(store, { clock, onPosts });
    closing.push(() => intake.close());
    newRelay = async (fields = {}) => {
      const { relay, path } = await relays.create({ ...gate, ...fields });
      return {
        id: relay.id,
        scan: (tid, more = {}) => postScan(`${intake.url}${path}`, scanForm({ ...now(), tid, ...more })),
      };
    };
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  });

  /** Made just now: a burst counts no late scans. */
  const now = () => ({ scanned_at_utc: new Date(clock.now()).toISOString().slice(0, 19).replace('T', ' ') });
  const deliver = (): Delivery => {
    const delivery = createDelivery({
      ...{ store, publisher: channels, clock, random: systemRandom, log: silentLog, metrics: createMetrics() },
      ...{ intervalMs: 0, instanceId: `w${deliveries.length}`, times: quick },
    });
    deliveries.push(delivery);
    delivery.start();
    closing.push(() => delivery.stop());
    return delivery;
  };
  const blocked = async (id: string) => (await relays.get(owner, id))?.blocked ?? [];
  const isBlocked = (id: string, is = true) =>
    expect.poll(async () => (await blocked(id)).length > 0, { interval: 20 }).toBe(is);
  const states = async (): Promise<Partial<Record<PostState, number>>> => {
    const rows = await store.db
      .selectFrom('outbox')
      .select((eb) => ['state', eb.fn.countAll().as('n')])
      .where('kind', '<>', 'notice')
      .groupBy('state')
      .execute();
    return Object.fromEntries(rows.map(({ state, n }) => [state, Number(n)]));
  };
  const settled = (expected: Partial<Record<PostState, number>>) =>
    expect.poll(states, { interval: 20 }).toEqual(expected);
  const triedIn = (channel: string) => tries.filter((one) => one.channel === channel);
  const polls = () => systemClock.sleep(4 * quick.pollMs);
  const rule = (id: string, channel: string, when: object = { kind: 'every' }) => ({ id, channel, when });
  const settingsOf = (...rules: object[]) => relaySettingsSchema.parse({ match: 'all', rules });

  it('a relay with a blocked channel still posts alerts and scans in its other channels', async () => {
    closed.add('CVIP');
    const relay = await newRelay({
      settings: settingsOf(
        rule('vip', 'CVIP', { kind: 'value', is: ['VIP'] }),
        rule('alarm', 'CALARM', { kind: 'burst', n: 2, minutes: 30 }),
        rule('bad', 'CBAD', { kind: 'result', is: 'invalid' }),
      ),
    });
    deliver();
    await relay.scan('VIP');
    await isBlocked(relay.id);
    for (const tid of ['X', 'Y', 'Z']) {
      await relay.scan(tid, { status: '0', text: 'no' });
    }
    await expect.poll(() => channels.in('CBAD')).toEqual(['X', 'Y', 'Z']);
    await expect.poll(() => channels.in('CALARM')[0]).toBe('Y');
    expect((await relays.get(owner, relay.id))?.relay.paused).toBeUndefined();
    expect(await blocked(relay.id)).toMatchObject([{ channel: 'CVIP', code: 'slack.is_archived', waiting: 1 }]);
    expect(triedIn('CVIP')).toHaveLength(1);
    expect(channels.blocked).toMatchObject([{ queue: { channel: 'CVIP' }, relays: [relay.id] }]);
    expect(channels.told).toEqual([]);
  });

  it('a blocked channel’s first post is tried after 1, 5, 30 and 30 minutes; once delivered, later posts follow', async () => {
    closed.add('C0GATE');
    const relay = await newRelay();
    deliver();
    await relay.scan('a');
    await isBlocked(relay.id);
    await relay.scan('b');
    const waits = [1, 5, 30, 30];
    const blockedTries = async () =>
      (
        await store.db
          .selectFrom('channel_queues')
          .select('blocked_tries')
          .where('channel', '=', 'C0GATE')
          .executeTakeFirstOrThrow()
      ).blocked_tries;
    for (const [at, minutes] of waits.entries()) {
      pass(minutes * minute - 5_000);
      await polls();
      expect(triedIn('C0GATE')).toHaveLength(at + 1);
      pass(5_000);
      await expect.poll(() => triedIn('C0GATE').length).toBe(at + 2);
      // The next wait counts from when the refusal is recorded.
      await expect.poll(blockedTries).toBe(at + 2);
    }
    expect(new Set(triedIn('C0GATE').map(({ tid }) => tid))).toEqual(new Set(['a']));
    closed.clear();
    pass(31 * minute);
    await settled({ delivered: 2 });
    expect(channels.in('C0GATE')).toEqual(['a', 'b']);
    await isBlocked(relay.id, false);
    expect(channels.blocked).toHaveLength(1);
  });

  it.each(['Try again', 'Resume'] as const)(
    '“%s” makes exactly one of two instances try a blocked channel at once, and nothing is posted twice',
    async (button) => {
      closed.add('C0GATE');
      const relay = await newRelay();
      deliver();
      deliver();
      await relay.scan('a');
      await isBlocked(relay.id);
      await relay.scan('b');
      const press = () => (button === 'Resume' ? relays.resume(owner, relay.id) : relays.retryBlocked(owner, relay.id));
      await press();
      await expect.poll(() => triedIn('C0GATE').length).toBe(2);
      await polls();
      expect(triedIn('C0GATE')).toHaveLength(2);
      closed.clear();
      await Promise.all([press(), press()]);
      await settled({ delivered: 2 });
      await isBlocked(relay.id, false);
      expect(channels.in('C0GATE')).toEqual(['a', 'b']);
      expect(triedIn('C0GATE')).toHaveLength(4);
    },
  );

  it('a channel is blocked for both of its relays at once, and a failed notice is sent again with both', async () => {
    closed.add('C0GATE');
    const [first, second, other] = [await newRelay(), await newRelay(), await newRelay({ channel: 'C0ELSE' })];
    channels.failTelling(1);
    deliver();
    await first.scan('a');
    await isBlocked(first.id);
    await second.scan('b');
    await polls();
    expect(triedIn('C0GATE')).toHaveLength(1);
    expect([await blocked(second.id), await blocked(other.id)]).toMatchObject([
      [{ channel: 'C0GATE', waiting: 1 }],
      [],
    ]);
    expect(channels.blocked).toEqual([]);
    await Promise.all(deliveries.map((delivery) => delivery.stop()));
    deliver();
    const both = [first.id, second.id].sort();
    await expect.poll(() => channels.blocked.map((one) => one.relays)).toEqual([both]);
    closed.clear();
    await relays.retryBlocked(owner, second.id);
    await settled({ delivered: 2 });
    expect(channels.in('C0GATE')).toEqual(['a', 'b']);
    expect(await blocked(first.id)).toEqual([]);
  });

  it('posts that wait for a blocked channel are sent in the new channel once their relay has moved', async () => {
    closed.add('C0GATE');
    const relay = await newRelay();
    deliver();
    await relay.scan('a');
    await relay.scan('b');
    await isBlocked(relay.id);
    await relays.change(owner, relay.id, { channel: 'C0NEW' });
    await settled({ delivered: 2 });
    expect(channels.in('C0NEW')).toEqual(['a', 'b']);
    await expect
      .poll(() => store.db.selectFrom('channel_queues').select('channel').where('blocked_at', 'is not', null).execute())
      .toEqual([]);
  });

  it('posts become dead letters after a day in a blocked channel, but a paused relay’s posts do not', async () => {
    closed.add('C0GATE');
    const [relay, paused] = [await newRelay(), await newRelay()];
    await paused.scan('held');
    await relays.pause(owner, paused.id);
    deliver();
    await relay.scan('a');
    await isBlocked(relay.id);
    await relay.scan('b');
    pass(day - 10 * minute);
    await expect.poll(() => triedIn('C0GATE').length).toBe(2);
    await relay.scan('late');
    pass(31 * minute);
    await settled({ dead: 2, pending: 2 });
    expect(await relays.get(owner, relay.id)).toMatchObject({ dead: 2, pending: 1, blocked: [{ waiting: 1 }] });
    closed.clear();
    await relays.replay(owner, relay.id);
    await settled({ delivered: 3, pending: 1 });
    expect(channels.in('C0GATE')).toEqual(['a', 'b', 'late']);
    await relays.resume(owner, paused.id);
    await settled({ delivered: 4 });
  });

  it('a blocked channel is unblocked once the only relay with posts waiting for the channel is removed', async () => {
    closed.add('C0GATE');
    const [relay, other] = [await newRelay(), await newRelay()];
    deliver();
    await relay.scan('a');
    await isBlocked(other.id);
    // Were its relay removed before, nobody would be told.
    await expect.poll(() => channels.blocked.length).toBe(1);
    await relays.remove(owner, relay.id);
    await isBlocked(other.id, false);
    await other.scan('b');
    await isBlocked(other.id);
    await expect.poll(() => channels.blocked.length).toBe(2);
  });
});
