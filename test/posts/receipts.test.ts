import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { PostState } from '../../src/database/schema.js';
import { createOutbox } from '../../src/posts/outbox/outbox.js';
import { createReceipts, type Receipt } from '../../src/posts/outbox/receipts.js';
import { createRelayStore } from '../../src/relay/relays/relay-rows.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { addPost, clearOutbox, setPosts } from '../helpers/outbox.js';
import { owner, relayRecord } from '../helpers/relay.js';

const ts = '1700000000.000100';
const queue = { ...owner, channel: 'C0GATE' };

onEachDatabase('a receipt', (databases) => {
  let store: Store;

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    await createRelayStore(store.db).add(relayRecord({ id: 'r1' }), { id: 's1', hash: 'a' });
  });
  beforeEach(() => clearOutbox(store));
  afterAll(() => store.close());

  const receipt = (key: string, more: Partial<Receipt> = {}): Receipt => ({
    ...{ owner, channel: 'C0GATE', key, generation: 2, ts },
    ...more,
  });
  const addTried = async (state: PostState) => {
    const key = await addPost(store, { relayId: 'r1', state, attempts: 1, nextAt: 9_000, unconfirmedAt: 5 });
    await setPosts(store, { generation: 2 }).where('key', '=', key).execute();
    return key;
  };
  const post = (key: string) =>
    store.db
      .selectFrom('outbox')
      .select(['state', 'ts', 'finished_at as at'])
      .where('key', '=', key)
      .executeTakeFirstOrThrow();

  it.each(['sending', 'unconfirmed', 'pending', 'dead'] as const)(
    'a receipt changes a post from %s to delivered once, even if two instances get the receipt',
    async (state) => {
      const key = await addTried(state);
      const receipts = [createReceipts(store.db), createReceipts(store.db)];
      const first = await Promise.all(receipts.map((one) => one.add(receipt(key), 7_000)));
      expect(first.sort()).toEqual([false, true]);
      expect(await receipts[0]!.add(receipt(key, { ts: '1700000009.000100' }), 8_000)).toBe(false);
      expect(await post(key)).toEqual({ state: 'delivered', ts, at: 7_000 });
    },
  );

  it.each([
    ['of an earlier generation', { generation: 1 }],
    ['of a later generation', { generation: 3 }],
    ['from another channel', { channel: 'C0OTHER' }],
    ['from another workspace', { owner: { ...owner, team: 'T0OTHER' } }],
    ['from another installation', { owner: { ...owner, installation: 'E0OTHER' } }],
    ['of a post that does not exist', { key: 'nobody' }],
  ])('a receipt %s changes no post', async (_, more) => {
    const key = await addTried('unconfirmed');
    expect(await createReceipts(store.db).add(receipt(key, more), 7_000)).toBe(false);
    expect(await post(key)).toMatchObject({ state: 'unconfirmed', ts: null });
    const queues = await store.db.selectFrom('channel_queues').select(['channel', 'last_ts']).execute();
    expect(queues).toEqual([{ channel: 'C0GATE', last_ts: null }]);
  });

  it('a receipt makes the next post due, and a search for the next post starts at the receipt’s message', async () => {
    const outbox = createOutbox(store);
    const inDoubt = await addTried('unconfirmed');
    const behind = await addPost(store, { relayId: 'r1' });
    await store.db.updateTable('channel_queues').set({ next_at: 9_000 }).execute();
    expect(await outbox.hasDue(7_000)).toBe(false);
    await createReceipts(store.db).add(receipt(inDoubt), 7_000);
    expect(await outbox.hasDue(7_000)).toBe(true);
    await outbox.heartbeat('w', 99_000);
    await outbox.claim('w', 7_000, 1);
    const next = await outbox.head(queue);
    expect(next?.key).toBe(behind);
    const sending = await outbox.begin('w', next!, 7_000);
    expect(sending).toMatchObject({ state: 'sending', afterTs: ts });
    // The answer that comes after the receipt of the same message.
    await createReceipts(store.db).add({ ...receipt(behind), generation: 0, ts: '1700000000.000200' }, 7_100);
    await outbox.later(sending!, 'lose', 9_000, 'test.lost');
    expect(await post(behind)).toMatchObject({ state: 'delivered', ts: '1700000000.000200' });
  });

  it('a search for a retried post starts at the last message before the first attempt in doubt', async () => {
    const outbox = createOutbox(store);
    await addPost(store, { relayId: 'r1' });
    await store.db.updateTable('channel_queues').set({ last_ts: ts }).execute();
    await outbox.heartbeat('w', 99_000);
    await outbox.claim('w', 1_000, 1);
    const first = await outbox.begin('w', (await outbox.head(queue))!, 1_000);
    await outbox.later(first!, 'lose', 2_000, 'test.lost');
    await outbox.later((await outbox.head(queue))!, 'absent', 3_000, 'test.absent');
    await store.db.updateTable('channel_queues').set({ last_ts: '1700000099.000100' }).execute();
    expect(await outbox.begin('w', (await outbox.head(queue))!, 4_000)).toMatchObject({ attempts: 2, afterTs: ts });
  });
});
