import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../src/clock.js';
import { backoff } from '../../src/database/backoff.js';
import type { PostState } from '../../src/database/schema.js';
import { silentLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics.js';
import { usualTimes } from '../../src/posts/delivery-times.js';
import { createNotices, type Delivery, type PostOutcome } from '../../src/posts/index.js';
import { createOutbox } from '../../src/posts/outbox/outbox.js';
import {
  createDelivery,
  createRelays,
  type DeliveryDeps,
  type Post,
  relaySettingsSchema,
} from '../../src/relay/index.js';
import { createRelaysById } from '../../src/relay/record/by-id.js';
import type { Store } from '../../src/workspaces/types.js';
import { type Channels, createChannels, type Script, tidOf } from '../helpers/channels.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { clearOutbox } from '../helpers/outbox.js';
import { gate, owner, postScan, type RelayInput, relaysOf, scanForm, startIntake } from '../helpers/relay.js';
import { wideIt } from '../helpers/tier/wide-it.js';

/** Delivery times much shorter than the product's. */
const quick = {
  leaseMs: 300,
  heartbeatMs: 60,
  pollMs: 50,
  pollGapMs: 2,
  unconfirmedMs: 40,
  absentAfterMs: 40,
  postTimeoutMs: 400,
  leastBackoffMs: 20,
  longestBackoffMs: 200,
  holdMs: 60,
};

const lost: Script = { accepted: false, says: { outcome: 'unconfirmed', code: 'test.lost' } };
const unheard: Script = { accepted: true, says: { outcome: 'unconfirmed', code: 'test.unheard' } };
const refused: Script = { accepted: false, says: { outcome: 'refused', code: 'test.refused' } };
const later = (afterMs?: number): Script => ({
  accepted: false,
  says: { outcome: 'retry', code: 'test.later', ...(afterMs === undefined ? {} : { afterMs }) },
});
const duplicate: Script = { accepted: false, says: { outcome: 'duplicate', code: 'test.duplicate' } };
const revoked: Script = { accepted: false, says: { outcome: 'gone', why: 'token_revoked', code: 'test.gone' } };

onEachDatabase('delivery', (databases) => {
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

  /** A room with an intake, channels, and as many deliverers as are started. */
  const open = async (options: { takesMs?: number } = {}) => {
    const store = await openTestStore(url);
    closing.push(() => store.close());
    await clearOutbox(store);
    for (const table of ['received_scans', 'relays', 'relay_secrets'] as const) {
      await store.db.deleteFrom(table).execute();
    }
    const channels = createChannels(options);
    const deliveries: Delivery[] = [];
    const onPosts = () => {
      for (const delivery of deliveries) {
        delivery.notify();
      }
    };
    const intake = await startIntake(store, { onPosts });
    closing.push(() => intake.close());
    let instances = 0;
    const deliver = (more: Partial<DeliveryDeps> = {}): Delivery => {
      instances += 1;
      const delivery = createDelivery({
        store,
        publisher: channels,
        clock: systemClock,
        random: systemRandom,
        log: silentLog,
        metrics: createMetrics(),
        intervalMs: 0,
        instanceId: `worker-${instances}`,
        ...more,
        times: { ...quick, ...more.times },
      });
      deliveries.push(delivery);
      delivery.start();
      closing.push(() => delivery.stop());
      return delivery;
    };
    const newRelay = async (fields: Partial<RelayInput> = {}) => {
      const { relay, path } = await relaysOf(store, onPosts).create({
        ...gate,
        ...fields,
      });
      return { id: relay.id, scan: (tid: string) => postScan(`${intake.url}${path}`, scanForm({ tid })) };
    };
    return { store, channels, deliver, newRelay };
  };

  const counts = async (store: Store): Promise<Partial<Record<PostState, number>>> => {
    const rows = await store.db
      .selectFrom('outbox')
      .select((eb) => ['state', eb.fn.countAll().as('n')])
      .where('kind', '<>', 'notice')
      .groupBy('state')
      .execute();
    return Object.fromEntries(rows.map(({ state, n }) => [state, Number(n)]));
  };
  const settled = (store: Store, expected: Partial<Record<PostState, number>>) =>
    expect.poll(() => counts(store), { interval: 20 }).toEqual(expected);
  const numbers = (count: number, prefix = 'n') => Array.from({ length: count }, (_, n) => `${prefix}${n}`);
  const once = (channels: Channels) =>
    expect(new Set(channels.posted.map(({ key }) => key)).size).toBe(channels.posted.length);

  it('the dispatcher sends posts in order, one at a time in each channel, in many channels at once', async () => {
    const { store, channels, deliver, newRelay } = await open({ takesMs: 15 });
    deliver();
    const relays = await Promise.all(numbers(20, 'C').map((channel) => newRelay({ channel })));
    await Promise.all(
      relays.map(async (relay) => {
        for (const tid of numbers(5)) {
          await relay.scan(tid);
        }
      }),
    );
    await settled(store, { delivered: 100 });
    for (const channel of numbers(20, 'C')) {
      expect(channels.in(channel)).toEqual(numbers(5));
    }
    once(channels);
    expect(channels.most.inChannel).toBe(1);
    expect(channels.most.inAll).toBeGreaterThan(3);
  });

  it('the dispatcher records each attempt before it sends the post', async () => {
    const { store, channels, deliver, newRelay } = await open();
    const seen: unknown[] = [];
    channels.onPost = async ({ key }) => {
      const row = await store.db.selectFrom('outbox').selectAll().where('key', '=', key).executeTakeFirstOrThrow();
      seen.push([row.state, row.attempts, row.attempt_at !== null, row.first_attempt_at !== null]);
    };
    deliver();
    await (await newRelay()).scan('a');
    await settled(store, { delivered: 1 });
    expect(seen).toEqual([['sending', 1, true, true]]);
  });

  it('the dispatcher searches for a post in doubt, sends it again only if it is missing, and keeps the order', async () => {
    const { store, channels, deliver, newRelay } = await open();
    channels.script('C0GATE', unheard, lost, lost, unheard);
    const relay = await newRelay();
    for (const tid of numbers(4)) {
      await relay.scan(tid);
    }
    deliver();
    await settled(store, { delivered: 4 });
    expect(channels.in('C0GATE')).toEqual(numbers(4));
    expect(channels.finds.length).toBe(4);
  });

  it('each search for a post in doubt starts at the post’s first attempt whose outcome is unknown', async () => {
    const { store, channels, deliver, newRelay } = await open();
    channels.script('C0GATE', lost, lost);
    await (await newRelay()).scan('a');
    const before = Date.now();
    deliver();
    await settled(store, { delivered: 1 });
    const [first, second] = channels.finds;
    expect(first!.since).toBeGreaterThanOrEqual(before - 1);
    expect(second!.since).toBe(first!.since);
  });

  describe('a post in doubt that is not found', () => {
    const absentAfterMs = usualTimes.absentAfterMs;

    /** A deliverer whose clock is set forward by hand, and what is known of its first post. */
    const watched = async () => {
      const { store, channels, deliver, newRelay } = await open();
      let shift = 0;
      const clock = { ...systemClock, now: () => Date.now() + shift, steady: () => performance.now() + shift };
      const delivery = deliver({ clock, times: { absentAfterMs, unconfirmedMs: 1, duplicateGiveUpMs: 300_000 } });
      const first = () => store.db.selectFrom('outbox').selectAll().orderBy('seq').executeTakeFirstOrThrow();
      /** Waits for so many searches, and until the time of the next one is recorded. */
      const lookedFor = (times: number) =>
        expect
          .poll(async () => [channels.finds.length, (await first()).next_at > clock.now() + 1_000])
          .toEqual([times, true]);
      const pass = (ms: number) => {
        shift += ms;
        delivery.notify();
      };
      return { store, channels, newRelay, delivery, first, lookedFor, pass };
    };

    it('a post in doubt that was not found is searched for again after 15 s, and not sent again if found', async () => {
      expect(absentAfterMs).toBeGreaterThanOrEqual(15_000);
      const { store, channels, newRelay, first, lookedFor, pass } = await watched();
      channels.script('C0GATE', unheard);
      channels.scriptFind({ outcome: 'absent' });
      const relay = await newRelay();
      await relay.scan('a');
      await relay.scan('b');
      await lookedFor(1);
      const { attempt_at: attemptAt, next_at: nextAt } = await first();
      expect(nextAt - attemptAt!).toBeGreaterThanOrEqual(absentAfterMs);
      expect(channels.in('C0GATE')).toEqual(['a']);
      pass(absentAfterMs);
      await settled(store, { delivered: 2 });
      expect(channels.in('C0GATE')).toEqual(['a', 'b']);
      expect(channels.finds).toHaveLength(2);
    });

    it('a post in doubt that a second search does not find is sent again', async () => {
      const { store, channels, newRelay, lookedFor, pass } = await watched();
      channels.script('C0GATE', lost);
      await (await newRelay()).scan('a');
      await lookedFor(1);
      pass(absentAfterMs);
      await settled(store, { delivered: 1 });
      expect(channels.in('C0GATE')).toEqual(['a']);
      expect(channels.finds).toHaveLength(2);
    });

    it('a search that began within 15 s of a post’s attempt and missed the post is repeated', async () => {
      const { store, channels, newRelay, first, pass } = await watched();
      channels.script('C0GATE', unheard);
      channels.scriptFind({ outcome: 'retry', code: 'test.later', afterMs: 1_000_000 });
      await (await newRelay()).scan('a');
      await expect.poll(async () => (await first()).last_code).toBe('test.later');
      channels.scriptFind({ outcome: 'absent', beganAt: (await first()).attempt_at! + 5_000 });
      pass(1_001_000);
      await settled(store, { delivered: 1 });
      expect(channels.in('C0GATE')).toEqual(['a']);
      expect(channels.finds).toHaveLength(3);
    });

    it('a second search for a post in doubt is not delayed by an hour when the clock is set back', async () => {
      const { store, channels, newRelay, lookedFor, pass } = await watched();
      pass(3_600_000);
      channels.script('C0GATE', lost);
      await (await newRelay()).scan('a');
      await lookedFor(1);
      pass(-3_600_000);
      await lookedFor(2);
      pass(absentAfterMs);
      await settled(store, { delivered: 1 });
      expect(channels.in('C0GATE')).toEqual(['a']);
    });

    it('a post that Slack calls a duplicate stays in doubt until it is found, and is never sent again', async () => {
      const { store, channels, newRelay, first, lookedFor, pass } = await watched();
      channels.script('C0GATE', duplicate);
      const notThere = { outcome: 'absent' } as const;
      channels.scriptFind(notThere, notThere, { outcome: 'retry', code: 'test.later', afterMs: 1 });
      const relay = await newRelay();
      await relay.scan('a');
      await relay.scan('b');
      await lookedFor(1);
      pass(absentAfterMs + 1_000);
      await lookedFor(2);
      pass(60_000);
      await lookedFor(4);
      expect(await first()).toMatchObject({ attempts: 1, last_code: 'relay.duplicate' });
      channels.posted.push({ key: (await first()).key, tid: 'a', channel: 'C0GATE', at: Date.now() });
      pass(120_000);
      await settled(store, { delivered: 2 });
      expect(channels.in('C0GATE')).toEqual(['a', 'b']);
    });

    it('a duplicate that is never found becomes a dead letter, delays no post, and is sent when replayed', async () => {
      const { store, channels, newRelay, first, delivery, lookedFor, pass } = await watched();
      channels.script('C0GATE', duplicate);
      const relay = await newRelay();
      await relay.scan('a');
      await relay.scan('b');
      await lookedFor(1);
      pass(300_001);
      await settled(store, { dead: 1, delivered: 1 });
      expect(channels.in('C0GATE')).toEqual(['b']);
      expect(await first()).toMatchObject({ last_code: 'relay.duplicate', generation: 0 });
      await relaysOf(store, delivery.notify).replay(owner, relay.id);
      await settled(store, { delivered: 2 });
      expect(channels.in('C0GATE')).toEqual(['b', 'a']);
      expect(channels.posted.map(({ post }) => post?.generation)).toEqual([0, 1]);
    });
  });

  it('a post has the same generation in all attempts, and the next generation when it is replayed', async () => {
    const { store, channels, deliver, newRelay } = await open();
    const generations: number[] = [];
    channels.onPost = ({ generation }) => {
      generations.push(generation);
    };
    channels.script('C0GATE', later(), lost, later());
    const relay = await newRelay();
    const delivery = deliver();
    await relay.scan('a');
    await settled(store, { delivered: 1 });
    expect(generations).toEqual([0, 0, 0, 0]);
    channels.script('C0GATE', refused);
    await relay.scan('b');
    await settled(store, { delivered: 1, dead: 1 });
    await relaysOf(store, delivery.notify).replay(owner, relay.id);
    await settled(store, { delivered: 2 });
    expect(generations.slice(4)).toEqual([0, 1]);
  });

  it('a post is searched for if sending it returned nothing, and tried again if it could not be drawn', async () => {
    const { store, channels, deliver, newRelay } = await open();
    channels.script('C0GATE', { accepted: true, says: 'hang' });
    let failures = 1;
    channels.onPost = (post) => {
      if (tidOf(post) === 'b' && failures-- > 0) {
        throw new Error('a mistake in a drawing');
      }
    };
    const relay = await newRelay();
    await relay.scan('a');
    await relay.scan('b');
    deliver();
    await settled(store, { delivered: 2 });
    expect(channels.in('C0GATE')).toEqual(['a', 'b']);
    expect(channels.finds.length).toBe(1);
  });

  it.each([
    ['did arrive', true],
    ['did not arrive', false],
  ])(
    'a dead process’s post that %s is searched for by another process, and is in the channel once',
    async (_, arrived) => {
      const { store, channels, deliver, newRelay } = await open();
      const relay = await newRelay();
      await relay.scan('a');
      await relay.scan('b');
      const outbox = createOutbox(store);
      await outbox.heartbeat('dead', Date.now() + 200);
      const [queue] = await outbox.claim('dead', Date.now(), 9);
      const sending = (await outbox.begin('dead', (await outbox.head(queue!))!, Date.now()))!;
      if (arrived) {
        channels.posted.push({ key: sending.key, tid: 'a', channel: 'C0GATE', at: Date.now() });
      }
      deliver();
      await settled(store, { delivered: 2 });
      expect(channels.in('C0GATE')).toEqual(['a', 'b']);
      expect(channels.finds.map(({ key }) => key)).toEqual([sending.key]);
    },
  );

  it('a living process’s queues are not taken over by another process', async () => {
    const { store, channels, deliver, newRelay } = await open();
    await (await newRelay()).scan('a');
    const outbox = createOutbox(store);
    await outbox.heartbeat('alive', Date.now() + 60_000);
    await outbox.claim('alive', Date.now(), 9);
    const delivery = deliver();
    await (await newRelay({ channel: 'C0OTHER' })).scan('b');
    await settled(store, { pending: 1, delivered: 1 });
    await delivery.stop();
    expect(channels.posted.map(({ tid }) => tid)).toEqual(['b']);
  });

  it('a post that was surely not sent is tried again without a search, and no earlier than Slack asked', async () => {
    const { store, channels, deliver, newRelay } = await open();
    const asked = 300;
    channels.script('C0GATE', later(), later(asked), later());
    const times: number[] = [];
    channels.onPost = () => {
      times.push(Date.now());
    };
    const relay = await newRelay();
    await relay.scan('a');
    await relay.scan('b');
    deliver();
    await settled(store, { delivered: 2 });
    expect(channels.in('C0GATE')).toEqual(['a', 'b']);
    expect(times.length).toBe(5);
    expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(asked - 2);
    expect(channels.finds).toEqual([]);
  });

  it('a post becomes a dead letter a day after its first attempt, and later posts are sent', async () => {
    const { store, channels, deliver, newRelay } = await open();
    channels.script('C0GATE', later(), later(), later(), later(), later());
    let shift = 0;
    const clock = { ...systemClock, now: () => Date.now() + shift, steady: () => performance.now() + shift };
    const relay = await newRelay();
    await relay.scan('a');
    await relay.scan('b');
    channels.onPost = (post) => {
      if (tidOf(post) === 'a' && channels.most.inChannel > 0) {
        shift += 25 * 3_600_000;
      }
    };
    deliver({ clock });
    await settled(store, { dead: 1, delivered: 1 });
    expect(channels.in('C0GATE')).toEqual(['b']);
    expect(await relaysOf(store).get(owner, relay.id)).toMatchObject({ pending: 0, dead: 1 });
  });

  it('a clock that is set ahead by two days ends no post that Slack takes at its next attempt', async () => {
    const { store, channels, deliver, newRelay } = await open();
    channels.script('C0GATE', later(), { accepted: false, says: { outcome: 'unconfirmed', code: 'test.broken' } });
    let shift = 0;
    const relay = await newRelay();
    await relay.scan('a');
    channels.onPost = () => {
      shift += 48 * 3_600_000;
    };
    deliver({ clock: { ...systemClock, now: () => Date.now() + shift } });
    await settled(store, { delivered: 1 });
    expect(channels.in('C0GATE')).toEqual(['a']);
  });

  it('a refused post becomes a dead letter at once and delays no other post, until a person replays it', async () => {
    const { store, channels, deliver, newRelay } = await open();
    channels.script('C0GATE', refused);
    const relay = await newRelay();
    await relay.scan('a');
    await relay.scan('b');
    const delivery = deliver();
    await settled(store, { dead: 1, delivered: 1 });
    expect(channels.in('C0GATE')).toEqual(['b']);
    expect(await relaysOf(store, delivery.notify).replay(owner, relay.id)).toBe(1);
    await settled(store, { delivered: 2 });
    expect(channels.in('C0GATE')).toEqual(['b', 'a']);
  });

  it('a relay whose access was revoked is paused with one notice, and posts everything once it is resumed', async () => {
    const { store, channels, deliver, newRelay } = await open();
    const [sick, well] = [await newRelay(), await newRelay()];
    channels.script('C0GATE', revoked);
    await sick.scan('a');
    await sick.scan('b');
    await well.scan('c');
    const delivery = deliver();
    await settled(store, { pending: 2, delivered: 1 });
    await expect.poll(() => channels.told.length).toBe(1);
    expect(channels.told[0]).toMatchObject({ id: sick.id, paused: { why: 'token_revoked' } });
    expect((await relaysOf(store).get(owner, sick.id))?.relay.paused?.why).toBe('token_revoked');
    await sick.scan('d');
    await well.scan('e');
    await settled(store, { pending: 3, delivered: 2 });
    expect(channels.in('C0GATE')).toEqual(['c', 'e']);
    await relaysOf(store, delivery.notify).resume(owner, sick.id);
    await settled(store, { delivered: 5 });
    expect(channels.in('C0GATE')).toEqual(['c', 'e', 'a', 'b', 'd']);
    expect(channels.told.length).toBe(1);
  });

  it('a notice of a relay’s pause that could not be sent is sent after a restart', async () => {
    const { channels, store, deliver, newRelay } = await open();
    channels.script('C0GATE', revoked);
    // As often as the process looks before it stops: its look at the start may see the pause too.
    channels.failTelling(Number.POSITIVE_INFINITY);
    const relay = await newRelay();
    await relay.scan('a');
    const first = deliver();
    await settled(store, { pending: 1 });
    await expect
      .poll(async () => (await relaysOf(store).get(owner, relay.id))?.relay.paused?.why)
      .toBe('token_revoked');
    await first.stop();
    await expect
      .poll(
        async () =>
          (await store.db.selectFrom('relays').select('owner_notified_at').executeTakeFirst())?.owner_notified_at,
      )
      .toBeNull();
    expect(channels.told).toEqual([]);
    channels.failTelling(0);
    deliver();
    await expect.poll(() => channels.told.map(({ id }) => id)).toEqual([relay.id]);
  });

  it.each([
    ['before it added', async () => undefined],
    [
      'after it added',
      async (store: Store, channels: Channels, id: string) => {
        const added = createNotices({
          store,
          publisher: channels,
          clock: systemClock,
          log: silentLog,
          onPosts: () => undefined,
        });
        const { paused, createdBy = '' } = (await createRelaysById(store.db).find(id)) ?? {};
        const source = { kind: 'workspace' as const, id: owner.team };
        const detail = JSON.stringify({ what: 'relay_paused', relay: id });
        await added.add({ key: `paused.${id}.${paused?.at}`, owner, source, people: [createdBy], detail });
      },
    ],
  ])('a notice of a relay’s pause is sent once, though the process died %s the notice', async (_, diesAfter) => {
    const { store, channels, deliver, newRelay } = await open();
    let shift = 0;
    deliver({ clock: { ...systemClock, now: () => Date.now() + shift, steady: () => performance.now() + shift } });
    const relay = await newRelay();
    // The first look is over once something was posted after it.
    await relay.scan('a');
    await settled(store, { delivered: 1 });
    await createRelaysById(store.db).pauseFor(relay.id, 'token_revoked', Date.now());
    await diesAfter(store, channels, relay.id);
    for (let minute = 1; minute <= 5; minute++) {
      shift += 61_000;
      if (minute > 1) {
        await expect.poll(() => channels.told.map(({ id }) => id)).toEqual([relay.id]);
      }
      await systemClock.sleep(3 * quick.pollMs);
    }
    expect(channels.told).toHaveLength(1);
  });

  wideIt(
    'dead letters, except replayed posts, are reported once a day with reasons by one of two processes',
    async () => {
      const { store, channels, deliver, newRelay } = await open();
      let shift = 0;
      const clock = { ...systemClock, now: () => Date.now() + shift, steady: () => performance.now() + shift };
      const pass = async (ms: number) => {
        shift += ms;
        await systemClock.sleep(6 * quick.pollMs);
      };
      channels.script('C0GATE', refused, refused);
      const [relay, other] = [await newRelay(), await newRelay()];
      await relay.scan('a');
      await relay.scan('b');
      await other.scan('c');
      deliver({ clock });
      deliver({ clock });
      await settled(store, { dead: 2, delivered: 1 });
      await pass(61_000);
      // Posts that fail together are reported together.
      expect(channels.undelivered).toEqual([]);
      channels.failTelling(1);
      await pass(6 * 60_000);
      for (let minutes = 0; minutes < 4; minutes++) {
        await pass(61_000);
      }
      const first = { relay: relay.id, posts: [{ code: 'test.refused', posts: 2 }] };
      await expect.poll(() => channels.undelivered).toEqual([first]);
      channels.script('C0GATE', refused);
      await relay.scan('d');
      await settled(store, { dead: 3, delivered: 1 });
      for (let hours = 0; hours < 5; hours++) {
        await pass(4 * 3_600_000);
      }
      expect(channels.undelivered).toEqual([first]);
      await pass(5 * 3_600_000);
      const second = { relay: relay.id, posts: [{ code: 'test.refused', posts: 1 }] };
      await expect.poll(() => channels.undelivered).toEqual([first, second]);
      channels.script('C0GATE', refused);
      await relay.scan('e');
      await settled(store, { dead: 4, delivered: 1 });
      expect(await relaysOf(store).replay(owner, relay.id)).toBe(4);
      await settled(store, { digested: 4, delivered: 2 });
      await pass(25 * 3_600_000);
      await pass(61_000);
      expect(channels.undelivered).toEqual([first, second]);
    },
  );

  it('a stopping dispatcher finishes the notice that it is sending, and records the time of the notice', async () => {
    const { store, channels, deliver, newRelay } = await open();
    const relay = await newRelay();
    let telling = false;
    channels.open = async (_owner, person) => {
      telling = true;
      await systemClock.sleep(300);
      return `D${person}`;
    };
    await createRelaysById(store.db).pauseFor(relay.id, 'token_revoked', Date.now());
    const delivery = deliver();
    await expect.poll(() => telling).toBe(true);
    await delivery.stop();
    const noted = await store.db.selectFrom('relays').select('owner_notified_at').executeTakeFirstOrThrow();
    expect(noted.owner_notified_at).toBeGreaterThan(0);
  });

  it('a relay that a person paused posts nothing, and other relays in its channel still post', async () => {
    const { store, channels, deliver, newRelay } = await open();
    const [paused, other] = [await newRelay(), await newRelay()];
    await paused.scan('a');
    await relaysOf(store).pause(owner, paused.id);
    await paused.scan('b');
    await other.scan('c');
    const delivery = deliver();
    await settled(store, { pending: 2, delivered: 1 });
    await relaysOf(store, delivery.notify).resume(owner, paused.id);
    await settled(store, { delivered: 3 });
    expect(channels.in('C0GATE')).toEqual(['c', 'a', 'b']);
  });

  it.each(['paused', 'removed', 'moved'] as const)(
    'another relay’s post is sent without waiting for the delayed post of a relay that was %s',
    async (how) => {
      const { store, channels, deliver, newRelay } = await open();
      channels.script('C0GATE', later(600_000));
      const [first, other] = [await newRelay(), await newRelay()];
      await first.scan('a');
      const delivery = deliver();
      const sleeps = async () => (await store.db.selectFrom('channel_queues').selectAll().executeTakeFirst())?.next_at;
      await expect.poll(sleeps).toBeGreaterThan(Date.now() + 300_000);
      await other.scan('b');
      const relays = relaysOf(store, delivery.notify);
      await {
        paused: () => relays.pause(owner, first.id),
        removed: () => relays.remove(owner, first.id),
        moved: () => relays.change(owner, first.id, { channel: 'C0NEW' }),
      }[how]();
      await expect.poll(() => channels.in('C0GATE')).toEqual(['b']);
    },
  );

  it('a search for a post in doubt is repeated if Slack asks to wait, and pauses a revoked relay', async () => {
    const { store, channels, deliver, newRelay } = await open();
    channels.script('C0GATE', unheard, lost);
    channels.scriptFind(
      { outcome: 'retry', code: 'test.later', afterMs: 50 },
      { outcome: 'retry', code: 'test.later' },
    );
    const relay = await newRelay();
    await relay.scan('a');
    const delivery = deliver();
    await settled(store, { delivered: 1 });
    expect(channels.finds.length).toBe(3);
    channels.scriptFind({ outcome: 'gone', why: 'token_revoked', code: 'test.gone' });
    await relay.scan('b');
    await settled(store, { delivered: 1, unconfirmed: 1 });
    await expect
      .poll(async () => (await relaysOf(store).get(owner, relay.id))?.relay.paused?.why)
      .toBe('token_revoked');
    await relaysOf(store, delivery.notify).resume(owner, relay.id);
    await settled(store, { delivered: 2 });
    expect(channels.in('C0GATE')).toEqual(['a', 'b']);
  });

  it.each(['resumed', 'replayed'] as const)(
    'searches for a post in doubt end a day after the post is %s, and then later posts are sent',
    async (how) => {
      const { store, channels, deliver, newRelay } = await open();
      let shift = 0;
      const clock = { ...systemClock, now: () => Date.now() + shift, steady: () => performance.now() + shift };
      const day = usualTimes.giveUpMs + 3_600_000;
      let searches = 0;
      channels.script('C0GATE', lost);
      channels.find = async () => {
        searches += 1;
        return { outcome: 'retry', code: 'test.later' };
      };
      const relay = await newRelay();
      const delivery = deliver({ clock });
      const relays = createRelays({ store, clock, random: systemRandom, onPosts: delivery.notify });
      await relay.scan('a');
      await settled(store, { unconfirmed: 1 });
      if (how === 'replayed') {
        shift += day;
        await settled(store, { dead: 1 });
        await relays.replay(owner, relay.id);
      } else {
        await relays.pause(owner, relay.id);
        // Else a search that is under way ends a day later, and gives up.
        await delivery.stop();
        shift += day;
        await relays.resume(owner, relay.id);
        deliver({ clock });
      }
      await relay.scan('b');
      searches = 0;
      await expect.poll(() => searches).toBeGreaterThan(2);
      expect(await counts(store)).toEqual({ unconfirmed: 1, pending: 1 });
      shift += day;
      await settled(store, { dead: 1, delivered: 1 });
      expect(channels.in('C0GATE')).toEqual(['b']);
    },
  );

  it('a post whose outcome cannot be found out becomes a dead letter, and is searched for when replayed', async () => {
    const { store, channels, deliver, newRelay } = await open();
    channels.script('C0GATE', unheard);
    channels.scriptFind({ outcome: 'refused', code: 'test.unknowable' });
    const relay = await newRelay();
    await relay.scan('a');
    await relay.scan('b');
    const delivery = deliver();
    await settled(store, { dead: 1, delivered: 1 });
    await relaysOf(store, delivery.notify).replay(owner, relay.id);
    await settled(store, { delivered: 2 });
    expect(channels.in('C0GATE')).toEqual(['a', 'b']);
    expect(channels.finds.length).toBe(2);
  });

  describe('replies to a deleted card', () => {
    const underCard = relaySettingsSchema.parse({
      rules: [{ id: 'r1', name: 'All', channel: 'C0GATE', when: { kind: 'every' }, how: 'thread' }],
    });
    const shown = (channels: Channels) =>
      channels.posted.map(({ tid, post }) => (post?.threadTs === undefined ? tid : `${tid} under ${post.threadTs}`));
    /** Gives replies the outcome that `answer` returns; undefined: they are delivered. */
    const answering = (channels: Channels, answer: (threadTs: string) => PostOutcome | 'outside' | undefined) => {
      const { post: usual } = channels;
      channels.post = async (post, signal) => {
        const said = post.threadTs === undefined ? undefined : answer(post.threadTs);
        if (said === undefined) {
          return await usual(post, signal);
        }
        if (said !== 'outside') {
          return said;
        }
        const { threadTs: _, ...alone } = post;
        const outcome = await usual(alone as Post, signal);
        return outcome.outcome === 'delivered' ? { ...outcome, outside: true } : outcome;
      };
    };
    const noThread: PostOutcome = { outcome: 'no_thread', code: 'test.no_thread' };

    wideIt('replies to a deleted card are posted under a new card, each reply once', async () => {
      const { store, channels, deliver, newRelay } = await open();
      const takenAway = new Set<string>();
      answering(channels, (threadTs) => (takenAway.has(threadTs) ? noThread : undefined));
      deliver();
      const relay = await newRelay({ settings: underCard });
      await relay.scan('a');
      await settled(store, { delivered: 2 });
      takenAway.add('1.000000');
      await relay.scan('b');
      await relay.scan('c');
      await settled(store, { delivered: 4 });
      await relay.scan('d');
      await settled(store, { delivered: 5 });
      expect(shown(channels)).toEqual([
        ...['card', 'a under 1.000000', 'card'],
        ...['b under 3.000000', 'c under 3.000000', 'd under 3.000000'],
      ]);
      // The new card counts on.
      await expect
        .poll(() => channels.edited.filter(({ ts }) => ts === '3.000000').at(-1)?.post)
        .toMatchObject({ kind: 'card', tally: { scans: 4 } });
    });

    it('a reply is posted without a thread if Slack finds no thread under the new card either', async () => {
      const { store, channels, deliver, newRelay } = await open();
      answering(channels, () => noThread);
      deliver();
      const relay = await newRelay({ settings: underCard });
      await relay.scan('a');
      await settled(store, { delivered: 2 });
      await relay.scan('b');
      await settled(store, { delivered: 3 });
      expect(shown(channels)).toEqual(['card', 'card', 'a', 'b']);
    });

    it('a post that is no reply becomes a dead letter when Slack answers “no thread”, and later posts are sent', async () => {
      const { store, channels, deliver, newRelay } = await open();
      channels.script('C0GATE', { accepted: false, says: noThread });
      const relay = await newRelay();
      await relay.scan('a');
      await relay.scan('b');
      deliver();
      await settled(store, { dead: 1, delivered: 1 });
      expect(channels.in('C0GATE')).toEqual(['b']);
    });

    it('a reply that Slack posts outside a thread causes one new card, and the next reply uses it', async () => {
      const { store, channels, deliver, newRelay } = await open();
      let shift = 0;
      answering(channels, (threadTs) => (threadTs === '1.000000' ? 'outside' : undefined));
      deliver({ clock: { ...systemClock, now: () => Date.now() + shift, steady: () => performance.now() + shift } });
      const relay = await newRelay({ settings: underCard });
      await relay.scan('a');
      await settled(store, { delivered: 2 });
      shift = 3_600_000;
      await relay.scan('b');
      await expect.poll(() => shown(channels)).toEqual(['card', 'a', 'b', 'card']);
      await settled(store, { delivered: 3 });
      await relay.scan('c');
      await settled(store, { delivered: 4 });
      expect(shown(channels).slice(4)).toEqual(['c under 4.000000']);
    });
  });

  it('the dispatcher keeps to its pace in each channel across two processes, also after one stops', async () => {
    const { store, channels, deliver, newRelay } = await open();
    const intervalMs = 400;
    const relays = [await newRelay(), await newRelay({ channel: 'C0OTHER' })];
    for (const tid of numbers(4)) {
      await Promise.all(relays.map((relay) => relay.scan(tid)));
    }
    const first = deliver({ intervalMs });
    deliver({ intervalMs });
    await expect.poll(() => channels.posted.length).toBeGreaterThan(1);
    await first.stop();
    await settled(store, { delivered: 8 });
    for (const channel of ['C0GATE', 'C0OTHER']) {
      expect(channels.in(channel)).toEqual(numbers(4));
      const times = channels.posted.filter((posted) => posted.channel === channel).map(({ at }) => at);
      const gaps = times.slice(1).map((at, n) => at - times[n]!);
      // The record of a post is made just before it leaves, so that two may arrive a little closer.
      expect(Math.min(...gaps)).toBeGreaterThan(intervalMs / 2);
      expect(times.at(-1)! - times[0]!).toBeGreaterThan(intervalMs * 2);
    }
  });

  it('three processes share the posts, and send no post twice or out of order', async () => {
    const { store, channels, deliver, newRelay } = await open({ takesMs: 5 });
    const relays = await Promise.all(numbers(10, 'C').map((channel) => newRelay({ channel })));
    for (const worker of numbers(3)) {
      deliver({ instanceId: worker, times: { parallel: 4 } });
    }
    await Promise.all(
      relays.map(async (relay) => {
        for (const tid of numbers(6)) {
          await relay.scan(tid);
        }
      }),
    );
    await settled(store, { delivered: 60 });
    once(channels);
    for (const channel of numbers(10, 'C')) {
      expect(channels.in(channel)).toEqual(numbers(6));
    }
    expect(channels.most.inChannel).toBe(1);
  });

  it('every channel gets its turn when more channels have posts than the dispatcher handles at once', async () => {
    const { store, channels, deliver, newRelay } = await open();
    const busy = await newRelay({ channel: 'C0BUSY' });
    for (const tid of numbers(20)) {
      await busy.scan(tid);
    }
    await (await newRelay({ channel: 'C0CALM' })).scan('calm');
    deliver({ times: { parallel: 1 } });
    await settled(store, { delivered: 21 });
    expect(channels.posted.findIndex(({ tid }) => tid === 'calm')).toBeLessThan(15);
  });

  it('a stopping dispatcher finishes the post in flight, and sends no other post', async () => {
    const { store, channels, deliver, newRelay } = await open({ takesMs: 100 });
    const relay = await newRelay();
    await relay.scan('a');
    await relay.scan('b');
    const delivery = deliver();
    await expect.poll(() => channels.posted.length).toBe(1);
    await delivery.stop();
    expect(await counts(store)).toEqual({ delivered: 1, pending: 1 });
    expect(await store.db.selectFrom('workers').selectAll().execute()).toEqual([]);
    deliver();
    await settled(store, { delivered: 2 });
    expect(channels.in('C0GATE')).toEqual(['a', 'b']);
  });

  it('a stopping dispatcher holds its queues until posts in flight are finished, however long that takes', async () => {
    const { store, channels, deliver, newRelay } = await open();
    const relay = await newRelay();
    const times = { leaseMs: 1_000, postTimeoutMs: 20_000 };
    let arrived = 0;
    // Whoever is not heard of for a lease is taken for dead.
    channels.onPost = async () => {
      arrived += 1;
      await systemClock.sleep(times.leaseMs * 2.5);
    };
    await relay.scan('a');
    const leaving = deliver({ times });
    await expect.poll(() => arrived).toBe(1);
    deliver({ times });
    await leaving.stop();
    await settled(store, { delivered: 1 });
    expect(channels.in('C0GATE')).toEqual(['a']);
    expect(channels.finds).toEqual([]);
    expect(arrived).toBe(1);
  });

  it('the dispatcher does not stall when the clock is set back, and posts nothing twice when it jumps ahead', async () => {
    const { store, channels, deliver, newRelay } = await open({ takesMs: 30 });
    let shift = 3_600_000;
    const clock = { ...systemClock, now: () => Date.now() + shift, steady: () => performance.now() + shift };
    channels.script('C0GATE', later(), later(3_000_000));
    const relay = await newRelay();
    deliver({ clock, intervalMs: 10 });
    await relay.scan('a');
    await relay.scan('b');
    await expect
      .poll(
        async () =>
          (await store.db.selectFrom('outbox').select('attempts').orderBy('seq').executeTakeFirst())?.attempts,
      )
      .toBe(2);
    await expect.poll(() => counts(store)).toEqual({ pending: 2 });
    shift = 0;
    await settled(store, { delivered: 2 });
    channels.onPost = () => {
      shift += 3_600_000;
    };
    for (const tid of ['c', 'd', 'e']) {
      await relay.scan(tid);
    }
    await settled(store, { delivered: 5 });
    expect(channels.in('C0GATE')).toEqual(['a', 'b', 'c', 'd', 'e']);
    once(channels);
  });
});

describe('the wait after a failure', () => {
  it('the wait after a failed attempt doubles from a second to half an hour, with random variation', () => {
    const at = (failures: number, fraction: number) =>
      backoff(failures, usualTimes, { fraction: () => fraction, bytes: (size) => Buffer.alloc(size) });
    expect([1, 2, 3, 4].map((failures) => at(failures, 0.5))).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(at(3, 0)).toBe(3_000);
    expect(at(3, 0.999)).toBeGreaterThan(4_900);
    expect([at(12, 0.5), at(500, 0.999)]).toEqual([30 * 60_000, 30 * 60_000]);
    expect(at(1, 0)).toBe(1_000);
  });
});
