import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics.js';
import { usualTimes } from '../../src/posts/delivery-times.js';
import { createMessageUpdater } from '../../src/posts/message-updates.js';
import { createEditBudgets } from '../../src/posts/outbox/edit-budgets.js';
import { createMessageUpdates, reviseMessage } from '../../src/posts/outbox/message-updates.js';
import { createRelaysById } from '../../src/relay/record/by-id.js';
import { createRelayStore } from '../../src/relay/relays/table.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { addPost, setPosts } from '../helpers/outbox.js';
import { owner, relayRecord } from '../helpers/relay.js';

onEachDatabase('a message that is to be changed', (databases) => {
  let store: Store;
  let url: string;

  beforeAll(async () => {
    url = await databases.fresh();
    store = await openTestStore(url);
  });
  afterAll(() => store.close());

  it('is due while a person paused its relay, and not while its channel is blocked or nobody can post', async () => {
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
    const due = async () => (await createMessageUpdates(store).due(9, 9, [], 9)).map(({ post }) => post.source.id);
    expect(await due()).toEqual(['runs', 'paused']);
    await queues.set({ blocked_at: null }).execute();
    expect(await due()).toEqual(['runs', 'paused', 'gone']);
  });

  it('is updated 50 times a minute in a workspace, however many instances update, and a few urgent ones go ahead', async () => {
    const other = await openTestStore(url);
    const budgets = [createEditBudgets(store.db), createEditBudgets(other.db)];
    const owns = { ...owner, team: 'T0PACE' };
    const granted: number[] = [];
    const take = async (now: number, aheadMs: number) => {
      const taken = await Promise.all(budgets.map((one) => one.take(owns, now, { gapMs: 1_200, aheadMs })));
      granted.push(...taken.filter((one) => one).map(() => now));
      return taken.filter((one) => one).length;
    };
    for (let now = 1_000_000; now < 1_120_000; now += 100) {
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
    expect(await budgets[0]!.take({ ...owner, team: 'T0OTHER' }, 1_119_900, { gapMs: 1_200, aheadMs: 0 })).toBe(true);
    await budgets[0]!.exhaust(owns, 1_125_000, 55_000);
    expect([await take(1_179_000, 0), await take(1_180_000, 0)]).toEqual([0, 1]);
    // The clock was set back.
    expect(await take(1_000, 0)).toBe(1);
    await other.close();
  });

  it('is updated before the completed scans that changed earlier when it is acknowledged, and once for two changes', async () => {
    await store.db.deleteFrom('message_updates').execute();
    const relayId = 'runs';
    const keys: string[] = [];
    for (let n = 0; n < 13; n++) {
      keys.push(await addPost(store, { relayId, state: 'delivered', channel: 'C0GATE' }));
    }
    await setPosts(store, { ts: '1.0' }).where('key', 'in', keys).execute();
    await setPosts(store, { ack_by: 'U1', ack_at: 9 }).where('key', '=', keys[12]!).execute();
    const now = systemClock.now();
    await store.db.transaction().execute(async (trx) => {
      for (const [n, key] of keys.entries()) {
        const { seq } = await trx.selectFrom('outbox').select('seq').where('key', '=', key).executeTakeFirstOrThrow();
        await reviseMessage(trx, seq, now - 100 + n);
        await reviseMessage(trx, seq, now - 50 + n);
      }
    });
    const edited: string[] = [];
    const instances = [0, 1].map(() =>
      createMessageUpdater({
        ...{ updates: createMessageUpdates(store), budgets: createEditBudgets(store.db) },
        contents: { of: async (post) => ({ ...post }), detailOfBacklog: () => '{}' },
        publisher: {
          async edit({ key }) {
            edited.push(key);
            return { outcome: 'edited' };
          },
        },
        ...{ clock: systemClock, random: systemRandom, log: silentLog, metrics: createMetrics() },
        ...{ times: { ...usualTimes, editGapMs: 20 }, onFree: () => undefined },
      }),
    );
    const never = new AbortController().signal;
    while (edited.length < keys.length) {
      await Promise.all(instances.map((one) => one.poll(never)));
      await wait(5);
    }
    await Promise.all(instances.map((one) => one.settled()));
    expect(edited[0]).toBe(keys[12]);
    expect([...edited].sort()).toEqual([...keys].sort());
  });
});
