import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ChannelQueue } from '../../src/posts/outbox/leases.js';
import { createOutbox, type OutboxStore } from '../../src/posts/outbox/outbox.js';
import { createRelayStore } from '../../src/relay/relays/relay-rows.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { addPost, clearOutbox } from '../helpers/outbox.js';
import { owner, relayRecord, stranger } from '../helpers/relay.js';

onEachDatabase('the outbox', (databases) => {
  let store: Store;
  let url: string;
  let outbox: OutboxStore;
  const queue = { ...owner, channel: 'C0GATE' };
  const channels = (queues: readonly ChannelQueue[]) => queues.map(({ channel }) => channel).sort();

  beforeAll(async () => {
    url = await databases.fresh();
    store = await openTestStore(url);
    outbox = createOutbox(store);
    await createRelayStore(store.db).add(relayRecord({ id: 'r' }), { id: 's', hash: 'a' });
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await clearOutbox(store);
  });

  const one = async () => (await outbox.head(queue))!;
  const rowOf = (key: string) =>
    store.db.selectFrom('outbox').selectAll().where('key', '=', key).executeTakeFirstOrThrow();

  it('the outbox assigns each queue to one worker while that worker lives', async () => {
    await addPost(store, { relayId: 'r', channel: 'C1' });
    await addPost(store, { relayId: 'r', channel: 'C2' });
    expect(await outbox.hasDue(5)).toBe(true);
    await outbox.heartbeat('a', 1_000);
    expect(channels(await outbox.claim('a', 5, 1))).toHaveLength(1);
    expect(await outbox.claim('b', 5, 9)).toHaveLength(1);
    await outbox.heartbeat('b', 500);
    expect(await outbox.claim('c', 5, 9)).toEqual([]);
    expect(await outbox.hasDue(5)).toBe(false);
    // Worker b was last heard of at 500: its queue is free, that of worker a is not.
    expect(await outbox.hasDue(501)).toBe(true);
    expect(await outbox.claim('c', 501, 9)).toHaveLength(1);
    await outbox.heartbeat('c', 2_000);
    await outbox.removeWorker('a');
    expect(await outbox.claim('c', 501, 9)).toHaveLength(1);
  });

  it('the outbox never assigns a queue to two workers who ask at once', async () => {
    for (let n = 0; n < 20; n++) {
      await addPost(store, { relayId: 'r', channel: `C${n}` });
    }
    // Two connections of one process to one SQLite file would wait for each other on one thread.
    const second = databases.kind === 'postgres' ? await openTestStore(url) : store;
    try {
      const workers = Array.from({ length: 8 }, (_, n) => `w${n}`);
      await Promise.all(workers.map((worker) => outbox.heartbeat(worker, 1_000)));
      const claims = await Promise.all(
        workers.map((worker, n) => createOutbox(n % 2 === 0 ? store : second).claim(worker, 5, 5)),
      );
      const claimed = channels(claims.flat());
      expect(new Set(claimed).size).toBe(claimed.length);
      expect(claims.every((queues) => queues.length <= 5)).toBe(true);
      const rest = await outbox.claim('late', 5, 99);
      expect(claimed.length + rest.length).toBe(20);
    } finally {
      if (second !== store) {
        await second.close();
      }
    }
  });

  it('the outbox first assigns the queue that has been due longest, and no queue before it is due', async () => {
    for (const [channel, next_at] of [
      ['C1', 30],
      ['C2', 10],
      ['C3', 99],
      ['C4', null],
    ] as const) {
      await store.db
        .insertInto('channel_queues')
        .values({ ...owner, channel, next_at })
        .execute();
    }
    expect(await outbox.nextDue()).toBe(10);
    expect(channels(await outbox.claim('a', 50, 1))).toEqual(['C2']);
    expect(
      channels(await outbox.claim('a', 50, 9).then((queues) => queues.filter(({ channel }) => channel !== 'C2'))),
    ).toEqual(['C1']);
    await outbox.heartbeat('a', 1_000);
    expect(await outbox.nextDue()).toBe(99);
  });

  it('the outbox returns the first open post of a queue, and skips posts of paused or removed relays', async () => {
    const relays = createRelayStore(store.db);
    for (const id of ['paused', 'removed']) {
      await relays.add(relayRecord({ id: `${id}-${databases.kind}` }), { id: `${id}-s`, hash: 'a' });
    }
    const [paused, removed] = [`paused-${databases.kind}`, `removed-${databases.kind}`];
    await addPost(store, { relayId: paused });
    await addPost(store, { relayId: removed });
    await addPost(store, { relayId: 'r', state: 'delivered' });
    await addPost(store, { relayId: 'r', state: 'dead' });
    const first = await addPost(store, { relayId: 'r', nextAt: 99 });
    await addPost(store, { relayId: 'r' });
    await addPost(store, { relayId: 'r', owner: stranger });
    await relays.pause(owner, paused, 1);
    await relays.remove(owner, removed, 1);
    expect((await one()).key).toBe(first);
    await relays.resume(owner, paused, 2);
    expect((await one()).source.id).toBe(paused);
  });

  it('the outbox records an attempt at a post once, and only for the worker that has the queue', async () => {
    const key = await addPost(store, { relayId: 'r' });
    const post = await one();
    expect(await outbox.begin('nobody', post, 10)).toBeUndefined();
    await outbox.claim('a', 5, 9);
    const begun = await outbox.begin('a', post, 10);
    expect(begun).toMatchObject({ key, state: 'sending', attempts: 1, firstAttemptAt: 10, attemptAt: 10 });
    expect(await outbox.begin('a', post, 11)).toBeUndefined();
    expect((await outbox.claim('b', 5, 9))[0]?.lastSentAt).toBe(10);
  });

  it('the outbox keeps the times of a post’s first attempt and first doubt through all later attempts', async () => {
    await addPost(store, { relayId: 'r' });
    await outbox.claim('a', 5, 9);
    const first = (await outbox.begin('a', await one(), 10))!;
    await outbox.later(first, 'lose', 20, 'code');
    expect(await one()).toMatchObject({ state: 'unconfirmed', nextAt: 20, unconfirmedAt: 10 });
    await outbox.later(await one(), 'absent', 30, 'absent');
    const second = (await outbox.begin('a', await one(), 40))!;
    await outbox.later(second, 'lose', 50, 'code');
    expect(await one()).toMatchObject({ attempts: 2, firstAttemptAt: 10, attemptAt: 40, unconfirmedAt: 10 });
  });

  it('the outbox dates a post in doubt without a recorded first attempt by the first search for the post', async () => {
    await addPost(store, { relayId: 'r', state: 'unconfirmed', unconfirmedAt: 3 });
    await outbox.later(await one(), 'defer', 20, 'code');
    await outbox.later(await one(), 'defer', 30, 'code');
    expect(await one()).toMatchObject({ firstAttemptAt: 20, unconfirmedAt: 3 });
  });

  it('a worker that lost its queue to another worker can only record posts as delivered', async () => {
    const key = await addPost(store, { relayId: 'r' });
    await outbox.claim('a', 5, 9);
    const stale = (await outbox.begin('a', await one(), 10))!;
    await outbox.claim('b', 5, 9);
    await outbox.later(await one(), 'lose', 0, 'interrupted');
    await outbox.later(await one(), 'absent', 0, 'absent');
    const fresh = (await outbox.begin('b', await one(), 20))!;
    await outbox.later(stale, 'fail', 99, 'late');
    await outbox.reject(stale, 'late', 99);
    expect(await one()).toEqual(fresh);
    await outbox.deliver(stale, '1.0', 30);
    expect(await rowOf(key)).toMatchObject({ state: 'delivered', ts: '1.0', finished_at: 30 });
    await outbox.deliver(fresh, '2.0', 40);
    expect(await rowOf(key)).toMatchObject({ ts: '1.0', finished_at: 30 });
  });

  it('a queue is due again when its next post is due, but no earlier than the pace allows, and never if empty', async () => {
    const [first] = [await addPost(store, { relayId: 'r' }), await addPost(store, { relayId: 'r', nextAt: 500 })];
    await outbox.claim('a', 5, 9);
    await outbox.release('a', queue, 50, 100);
    expect(await outbox.nextDue()).toBe(50);
    await outbox.claim('a', 60, 9);
    const begun = (await outbox.begin('a', await one(), 60))!;
    expect(begun.key).toBe(first);
    await outbox.later(begun, 'fail', 90, 'again');
    await outbox.release('a', queue, 61, 100);
    expect(await outbox.nextDue()).toBe(160);
    await outbox.claim('a', 160, 9);
    await outbox.deliver(await one(), 'ts', 160);
    await outbox.release('b', queue, 161, 100);
    expect(await outbox.nextDue()).toBeUndefined();
    await outbox.release('a', queue, 161, 100);
    expect(await outbox.nextDue()).toBe(500);
    await outbox.claim('a', 500, 9);
    await outbox.deliver(await one(), 'ts', 500);
    await outbox.release('a', queue, 501, 100);
    expect(await outbox.nextDue()).toBeUndefined();
    expect(await outbox.countOpen()).toBe(0);
  });

  it('a post added at the moment when a worker releases the queue makes the queue due', async () => {
    for (let round = 0; round < 30; round++) {
      await outbox.claim('a', 1_000, 9);
      await Promise.all([outbox.release('a', queue, 1_000, 0), addPost(store, { relayId: 'r' })]);
      expect(await outbox.nextDue()).toBeDefined();
      await outbox.claim('a', 1_000, 9);
      await outbox.deliver(await one(), 'ts', 1_000);
      await outbox.release('a', queue, 1_000, 0);
    }
  });

  it('the outbox makes its posts due at once when the clock was set back', async () => {
    await addPost(store, { relayId: 'r', nextAt: 9_000 });
    await outbox.claim('a', 5, 9);
    await outbox.release('a', queue, 5, 0);
    expect(await outbox.nextDue()).toBe(9_000);
    await outbox.rescheduleAfterClockStep(100);
    expect(await outbox.nextDue()).toBe(100);
    expect((await one()).nextAt).toBe(100);
    expect(await outbox.countOpen()).toBe(1);
  });

  it('the outbox makes a queue that a worker holds due at once when the clock was set back', async () => {
    await addPost(store, { relayId: 'r', nextAt: 9_000 });
    expect(await outbox.claim('a', 5, 9)).toHaveLength(1);
    await outbox.rescheduleAfterClockStep(100);
    expect(await store.db.selectFrom('channel_queues').select(['claimed_by', 'next_at']).execute()).toEqual([
      { claimed_by: 'a', next_at: 100 },
    ]);
    await outbox.release('a', queue, 100, 0);
    expect(await outbox.nextDue()).toBe(100);
  });

  it('a post due soon keeps its time when only posts due much later are rescheduled after a clock change', async () => {
    await addPost(store, { relayId: 'r', nextAt: 9_000 });
    await outbox.rescheduleAfterClockStep(100, 9_000);
    expect((await one()).nextAt).toBe(9_000);
    await outbox.rescheduleAfterClockStep(100, 8_999);
    expect((await one()).nextAt).toBe(100);
  });

  it('the outbox reassigns queues of a worker whose last heartbeat is hours ahead of the clock', async () => {
    const hour = 3_600_000;
    await addPost(store, { relayId: 'r' });
    await outbox.heartbeat('ahead', 20 * hour);
    expect(await outbox.claim('ahead', 20 * hour, 9)).toHaveLength(1);
    expect(await outbox.hasDue(hour)).toBe(false);
    await outbox.heartbeat('alive', hour + 4_000);
    await outbox.forgetWorkers(hour);
    expect(await outbox.hasDue(hour)).toBe(true);
    expect(await outbox.claim('alive', hour, 9)).toHaveLength(1);
    await outbox.forgetWorkers(hour);
    expect(await outbox.hasDue(hour)).toBe(false);
  });

  it('the outbox stores the sending time of a post by Slack’s clock', async () => {
    await addPost(store, { relayId: 'r' });
    await outbox.claim('a', 10, 9);
    const begun = (await outbox.begin('a', await one(), 10, { channelNow: 7_000 }))!;
    expect(begun).toMatchObject({ attemptAt: 7_000, firstAttemptAt: 10 });
    await outbox.later(begun, 'lose', 20, 'x');
    expect((await one()).unconfirmedAt).toBe(7_000);
  });
});
