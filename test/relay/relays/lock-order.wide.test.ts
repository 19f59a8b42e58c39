import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.js';
import { createOutbox } from '../../../src/posts/outbox/outbox.js';
import { createRelayPurge } from '../../../src/relay/index.js';
import { createRelayStore } from '../../../src/relay/relays/relay-rows.js';
import type { Store } from '../../../src/workspaces/types.js';
import { openTestStore, postgresDatabases } from '../../helpers/databases.js';
import { reportLocks } from '../../helpers/lock-order/watch.js';
import { addPost } from '../../helpers/outbox.js';
import { owner, relayRecord } from '../../helpers/relay.js';

/** Several of each: a single row would be locked in order by any statement. */
describe('the relays and queues of a workspace with several of each', () => {
  const databases = postgresDatabases();
  let store: Store;

  beforeEach(async () => {
    store = await openTestStore(await databases.fresh());
    for (const id of ['r3', 'r1', 'r2']) {
      await createRelayStore(store.db).add(relayRecord({ id }), { id: `${id}-s`, hash: 'f'.repeat(64) });
      await addPost(store, { relayId: id, channel: `C${id}`, nextAt: 9_000 });
      await store.db.updateTable('channel_queues').set({ next_at: 9_000 }).where('channel', '=', `C${id}`).execute();
    }
  });
  afterEach(() => store.close());

  const left = async (table: 'relays' | 'channel_queues') =>
    (await store.db.selectFrom(table).selectAll().execute()).length;

  it('the relays and queues of a workspace are locked in order when the app is uninstalled', async () => {
    await store.eraseInstallation(owner.installation);
    reportLocks();
    const states = await store.db.selectFrom('outbox').select('state').distinct().execute();
    expect(states).toEqual([{ state: 'dead' }]);
  });

  it('the relays and queues of a workspace are locked in order when all its data is deleted', async () => {
    await createRelayPurge(store, systemClock)(owner, new AbortController().signal);
    reportLocks();
    expect([await left('relays'), await left('channel_queues')]).toEqual([0, 0]);
  });

  it('the queues of a workspace are locked in order when they are rescheduled after a clock was set back', async () => {
    await createOutbox(store).rescheduleAfterClockStep(100);
    reportLocks();
    const due = await store.db.selectFrom('channel_queues').select('next_at').distinct().execute();
    expect(due).toEqual([{ next_at: 100 }]);
  });
});
