import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics.js';
import { usualTimes } from '../../src/posts/delivery-times.js';
import { createMessageUpdater } from '../../src/posts/message-updates.js';
import { createCallBudgets } from '../../src/posts/outbox/call-budgets.js';
import { createMessageUpdates, reviseMessage } from '../../src/posts/outbox/message-updates.js';
import { createRelaysById } from '../../src/relay/record/by-id.js';
import { createRelayStore } from '../../src/relay/relays/relay-rows.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { addPost, setPosts } from '../helpers/outbox.js';
import { owner, relayRecord } from '../helpers/relay.js';
import { wideIt } from '../helpers/tier/wide-it.js';

const atOnce = { parentEveryMs: 0, yieldingEveryMs: 0, yieldingBusyMs: 0 };

onEachDatabase('a message that is to be changed', (databases) => {
  let store: Store;
  let url: string;

  beforeAll(async () => {
    url = await databases.fresh();
    store = await openTestStore(url);
  });
  afterAll(() => store.close());

  /** Delivered posts without a change, and nothing else to be updated. */
  const delivered = async (count: number, of = owner): Promise<string[]> => {
    const keys: string[] = [];
    for (let n = 0; n < count; n++) {
      keys.push(await addPost(store, { relayId: 'runs', owner: of, state: 'delivered', channel: 'C0GATE' }));
    }
    await setPosts(store, { ts: '1.0' }).where('key', 'in', keys).execute();
    if (of === owner) {
      await store.db.deleteFrom('message_updates').execute();
      await store.db.deleteFrom('call_budgets').execute();
    }
    return keys;
  };
  const change = (keys: readonly string[], now: number) =>
    store.db.transaction().execute(async (trx) => {
      const rows = await trx.selectFrom('outbox').select('seq').where('key', 'in', keys).orderBy('seq').execute();
      for (const { seq } of rows) {
        await reviseMessage(trx, seq, now);
      }
    });
  const newUpdater = (edited: string[], times: Partial<typeof usualTimes>, onFree?: () => void) =>
    createMessageUpdater({
      ...{ updates: createMessageUpdates(store), budgets: createCallBudgets(store.db) },
      maker: { of: async (post) => ({ ...post }) },
      publisher: {
        async edit({ key }) {
          edited.push(key);
          return { outcome: 'edited' };
        },
      },
      ...{ clock: systemClock, random: systemRandom, log: silentLog, metrics: createMetrics() },
      ...{ times: { ...usualTimes, ...times }, onFree: onFree ?? (() => undefined) },
    });

  it('a message update is due while a person paused its relay, but not while its channel is blocked', async () => {
    const relays = createRelayStore(store.db);
    const work = createRelaysById(store.db);
    for (const id of ['runs', 'paused', 'gone', 'revoked']) {
      await relays.add(relayRecord({ id }), { id: `${id}-s`, hash: 'a' });
      await addPost(store, { relayId: id, state: 'delivered', channel: id === 'gone' ? 'C0GONE' : 'C0GATE' });
    }
    await store.db.updateTable('outbox').set({ ts: '1.0' }).execute();
    await store.db
      .insertInto('message_updates')
      .columns(['post_seq', 'revision', 'due_at'])
      .expression((eb) =>
        eb.selectFrom('outbox').select((post) => ['seq', post.lit(1).as('revision'), post.lit(5).as('due_at')]),
      )
      .execute();
    await relays.pause(owner, 'paused', 2);
    const queues = store.db.updateTable('channel_queues').where('channel', '=', 'C0GONE');
    await queues.set({ blocked_at: 2 }).execute();
    await work.pauseFor('revoked', 'token_revoked', 2);
    const due = async () => (await createMessageUpdates(store).due(9, atOnce, [], 9)).map(({ post }) => post.source.id);
    expect(await due()).toEqual(['runs', 'paused']);
    await queues.set({ blocked_at: null }).execute();
    expect(await due()).toEqual(['runs', 'paused', 'gone']);
  });

  it('a workspace’s instances share 50 message updates a minute, which five urgent updates may exceed', async () => {
    const other = await openTestStore(url);
    const budgets = [createCallBudgets(store.db), createCallBudgets(other.db)];
    const owns = { ...owner, team: 'T0PACE' };
    const granted: number[] = [];
    const take = async (now: number, aheadMs: number) => {
      const taken = await Promise.all(
        budgets.map((one) => one.take(owns, 'chat.update', now, { gapMs: 1_200, aheadMs })),
      );
      granted.push(...taken.filter((waitMs) => waitMs === 0).map(() => now));
      return taken.filter((waitMs) => waitMs === 0).length;
    };
    for (let now = 1_000_000; now < 1_120_000; now += 300) {
      await take(now, 0);
    }
    const minutes = [1_000_000, 1_060_000].map(
      (from) => granted.filter((at) => at >= from && at < from + 60_000).length,
    );
    expect(minutes).toEqual([50, 50]);
    let urgent = 0;
    for (let call = 0; call < 10; call++) {
      urgent += await take(1_119_900, 6_000);
    }
    expect([urgent, await take(1_119_900, 0)]).toEqual([5, 0]);
    expect(await budgets[0]!.take({ ...owner, team: 'T0OTHER' }, 'chat.update', 1_119_900, { gapMs: 1_200 })).toBe(0);
    expect(await budgets[0]!.take(owns, 'conversations.history', 1_119_900, { gapMs: 60_000 })).toBe(0);
    expect(await budgets[1]!.take(owns, 'conversations.history', 1_129_900, { gapMs: 60_000 })).toBe(50_000);
    await budgets[0]!.exhaust(owns, 'chat.update', 1_125_000, 55_000);
    expect([await take(1_179_000, 0), await take(1_180_000, 0)]).toEqual([0, 1]);
    // The clock was set back.
    expect(await take(1_000, 0)).toBe(1);
    await other.close();
  });

  it('an acknowledged message is updated before other messages, and two changes cause one update', async () => {
    const keys = await delivered(13);
    await setPosts(store, { ack_by: 'U1', ack_at: 9 }).where('key', '=', keys[12]!).execute();
    const now = systemClock.now();
    for (const [n, key] of keys.entries()) {
      await change([key], now - 100 + n);
      await change([key], now - 50 + n);
    }
    const edited: string[] = [];
    const instances = [0, 1].map(() => newUpdater(edited, { editGapMs: 20 }));
    const never = new AbortController().signal;
    while (edited.length < keys.length) {
      await Promise.all(instances.map((one) => one.poll(never)));
      await wait(5);
    }
    await Promise.all(instances.map((one) => one.settled()));
    expect(edited[0]).toBe(keys[12]);
    expect([...edited].sort()).toEqual([...keys].sort());
  });

  it('the message of an export’s progress is updated after alerts, acknowledged scans and cards of threads', async () => {
    const [progress, scan, ...urgent] = await delivered(8);
    const fields = [{ kind: 'burst' }, { kind: 'card' }, { kind: 'reply' }, { kind: 'escalation' }, { ack_by: 'U1' }];
    for (const [n, one] of [...fields, { kind: 'incident', parent_key: 'alert' }].entries()) {
      await setPosts(store, one).where('key', '=', urgent[n]!).execute();
    }
    await setPosts(store, { kind: 'export', lane: 0 }).where('key', '=', progress!).execute();
    for (const [n, key] of [progress!, scan!, ...urgent].entries()) {
      await change([key], n);
    }
    const due = await createMessageUpdates(store).due(99, atOnce, [], 99);
    expect(due.map(({ post }) => post.key)).toEqual([...urgent, progress, scan]);
    expect(due.map(({ isUrgent }) => isUrgent)).toEqual([...urgent.map(() => true), false, false]);
    expect(due[5]!.post.kind).toBe('reply');
  });

  it.each([
    ['3 seconds after its last update where nothing else waits', 'nothing', 3_000],
    ['3 seconds after its last update where another board waits', 'board', 3_000],
    ['10 seconds after its last update where a post is to be sent', 'post', 10_000],
    ['10 seconds after its last update where a scan’s message is to be changed', 'update', 10_000],
  ] as const)('a changed board is due %s', async (_, waits, everyMs) => {
    await store.db.deleteFrom('outbox').where('state', '=', 'pending').execute();
    const [board, other] = await delivered(2);
    await setPosts(store, { kind: 'board', scan_id: null })
      .where('key', 'in', [board!, ...(waits === 'board' ? [other!] : [])])
      .execute();
    await change([board!], 1_000);
    await store.db.updateTable('message_updates').set({ updated_at: 100_000 }).execute();
    await ((waits === 'board' || waits === 'update') && change([other!], 1_000));
    await (waits === 'post' && addPost(store, { relayId: 'runs', channel: 'C0GATE' }));
    const isDue = async (now: number) =>
      (await createMessageUpdates(store).due(now, usualTimes, [], 99)).some(({ post }) => post.key === board);
    expect([await isDue(100_000 + everyMs - 1), await isDue(100_000 + everyMs)]).toEqual([false, true]);
    await store.db.deleteFrom('outbox').where('state', '=', 'pending').execute();
  });

  wideIt('an alert’s message is updated at once while ten boards change, within 55 updates a minute', async () => {
    const keys = await delivered(11);
    const [alert, ...boards] = keys;
    await setPosts(store, { kind: 'board', scan_id: null }).where('key', 'in', boards).execute();
    await setPosts(store, { kind: 'threshold', scan_id: null }).where('key', '=', alert!).execute();
    let now = 10_000_000;
    const edits: { key: string; at: number }[] = [];
    const updater = createMessageUpdater({
      ...{ updates: createMessageUpdates(store), budgets: createCallBudgets(store.db), times: usualTimes },
      maker: { of: async (post) => ({ ...post }) },
      publisher: {
        async edit({ key }) {
          edits.push({ key, at: now });
          return { outcome: 'edited' };
        },
      },
      // No call takes long enough to be given up.
      clock: { now: () => now, sleep: (ms) => (ms < 1_000 ? Promise.resolve() : new Promise(() => undefined)) },
      ...{ random: systemRandom, log: silentLog, metrics: createMetrics(), onFree: () => undefined },
    });
    const began = now;
    for (let step = 0; step < 120; step += 1) {
      await change(boards, now);
      await (step % 20 === 10 && change([alert!], now));
      await updater.poll(new AbortController().signal);
      await updater.settled();
      now += 500;
    }
    const alerts = edits.filter(({ key }) => key === alert).map(({ at }) => (at - began) / 500);
    expect(alerts).toEqual([10, 30, 50, 70, 90, 110]);
    expect(edits.length).toBeLessThanOrEqual(50 + 5);
    for (const board of boards) {
      const times = edits.filter(({ key }) => key === board).map(({ at }) => at);
      expect(times.length).toBeGreaterThanOrEqual(3);
      expect(Math.min(...times.slice(1).map((at, n) => at - times[n]!))).toBeGreaterThanOrEqual(3_000);
    }
  });

  it.each([12, 200])('an acknowledgement is shown within a second while %d scans’ messages change', async (behind) => {
    const [acknowledged, ...completed] = await delivered(behind + 1);
    await change(completed, systemClock.now());
    const edited: string[] = [];
    let polling = true;
    let wake = (): void => undefined;
    const updater = newUpdater(edited, {}, () => wake());
    const polls = (async () => {
      while (polling) {
        await updater.poll(new AbortController().signal);
        await Promise.race([new Promise<void>((done) => (wake = done)), wait(1_000)]);
      }
    })();
    await expect.poll(() => edited.length).toBeGreaterThanOrEqual(1);
    await wait(300);
    const since = performance.now();
    await setPosts(store, { ack_by: 'U1', ack_at: 9 }).where('key', '=', acknowledged!).execute();
    await change([acknowledged!], systemClock.now());
    await expect.poll(() => edited, { interval: 10 }).toContain(acknowledged);
    expect(performance.now() - since).toBeLessThan(1_000);
    polling = false;
    wake();
    await polls;
    await updater.settled();
  });

  it('a workspace’s message is among the first 10 updates although 60 updates wait in another workspace', async () => {
    const crowd = await delivered(60);
    const [lonely] = await delivered(1, { installation: 'T0LONELY', team: 'T0LONELY' });
    await change([...crowd, lonely!], systemClock.now());
    const edited: string[] = [];
    let polls = 0;
    const stop = new AbortController();
    // As the dispatcher does: the next poll comes when a workspace is free.
    const updater = newUpdater(edited, { editGapMs: 0 }, () => {
      if (!edited.includes(lonely!) && polls++ < 50) {
        updater.poll(stop.signal).catch(() => undefined);
      }
    });
    await updater.poll(stop.signal);
    await expect.poll(() => edited).toContain(lonely);
    await updater.settled();
    expect(edited.length).toBeLessThan(10);
  });
});
