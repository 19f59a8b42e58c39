import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createMessageUpdates } from '../../src/posts/outbox/message-updates.js';
import { createOutbox, type OutboxStore } from '../../src/posts/outbox/outbox.js';
import { createRelayStore } from '../../src/relay/relays/relay-rows.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { addPost, clearOutbox } from '../helpers/outbox.js';
import { owner, relayRecord } from '../helpers/relay.js';

const atOnce = { parentEveryMs: 0, yieldingEveryMs: 0, yieldingBusyMs: 0 };

onEachDatabase('a card', (databases) => {
  let store: Store;
  let outbox: OutboxStore;
  let key: string;
  const channel = 'C0GATE';
  const queue = { ...owner, channel };

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    outbox = createOutbox(store);
    await createRelayStore(store.db).add(relayRecord({ id: 'r' }), { id: 's', hash: 'a' });
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await clearOutbox(store);
    key = await addPost(store, { relayId: 'r', attempts: 3, firstAttemptAt: 1, attemptAt: 1, unconfirmedAt: 1 });
    await store.db.updateTable('outbox').set({ kind: 'card', scan_id: null }).execute();
    await outbox.deliver((await outbox.head(queue))!, '1.0', 10);
    await store.db
      .insertInto('message_updates')
      .columns(['post_seq', 'revision', 'due_at'])
      .expression((eb) =>
        eb.selectFrom('outbox').select((post) => ['seq', post.lit(5).as('revision'), post.lit(10).as('due_at')]),
      )
      .execute();
  });
  const replyTo = (threadTs: string) => ({
    parentKey: key,
    owner,
    source: { kind: 'relay' as const, id: 'r' },
    channel,
    threadTs,
  });

  it('a card whose message was deleted is due to be posted anew, with no former attempts', async () => {
    await outbox.repostParent(replyTo('1.0'), 20);
    expect(await outbox.parentTs(key, channel)).toBeUndefined();
    const head = await outbox.head(queue);
    expect(head).toMatchObject({ key, state: 'pending', attempts: 0, nextAt: 20, generation: 1 });
    expect([head?.firstAttemptAt, head?.attemptAt, head?.unconfirmedAt]).toEqual([undefined, undefined, undefined]);
  });

  it('a card is not posted again if it has a newer message, or if its message is too recent', async () => {
    await outbox.repostParent(replyTo('0.5'), 20);
    await outbox.dropParent(replyTo('0.5'));
    await outbox.repostParent(replyTo('1.0'), 20, 9);
    expect(await outbox.parentTs(key, channel)).toBe('1.0');
  });

  it('a card whose message was given up has no message to reply to, and no message update is due', async () => {
    const edits = createMessageUpdates(store);
    expect(await edits.due(20, atOnce, [], 9)).toHaveLength(1);
    await outbox.dropParent(replyTo('1.0'));
    expect(await outbox.parentTs(key, channel)).toBeUndefined();
    // The next reply asks for the count to be shown.
    await store.db.updateTable('message_updates').set({ revision: 6, due_at: 15 }).execute();
    expect(await edits.due(20, atOnce, [], 9)).toEqual([]);
  });

  it('a card that is posted again ignores updates of its former message', async () => {
    const edits = createMessageUpdates(store);
    const [edit] = await edits.due(20, atOnce, [], 9);
    await outbox.repostParent(replyTo('1.0'), 20);
    expect(await edits.claim(edit!, 30)).toBeUndefined();
    await outbox.deliver((await outbox.head(queue))!, '2.0', 40);
    const shows = () =>
      store.db.selectFrom('message_updates').select(['rendered_revision', 'due_at', 'failures']).execute();
    const before = await shows();
    expect(before).toMatchObject([{ due_at: 40 }]);
    await edits.giveUp(edit!);
    await edits.later(edit!, 90, 1);
    await edits.done(edit!, 50);
    expect(await shows()).toEqual(before);
  });
});
