import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMessageUpdates } from '../../src/posts/outbox/message-updates.js';
import { createRelaysById } from '../../src/relay/relays/by-id.js';
import { createRelayStore } from '../../src/relay/relays/table.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { addPost } from '../helpers/outbox.js';
import { owner, relayRecord } from '../helpers/relay.js';

onEachDatabase('a message that is to be changed', (databases) => {
  let store: Store;

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
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
    const due = async () => (await createMessageUpdates(store).due(9, 9, [], 9)).map(({ post }) => post.relayId);
    expect(await due()).toEqual(['runs', 'paused']);
    await queues.set({ blocked_at: null }).execute();
    expect(await due()).toEqual(['runs', 'paused', 'gone']);
  });
});
