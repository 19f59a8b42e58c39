import { expect, it } from 'vitest';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { restoreDatabase } from '../upgrade/old-version.js';

onEachDatabase('posts that version 1.0.0 left', ({ kind, empty }) => {
  it('belong to the relays that made them, with a head for each queue that holds an open one', async () => {
    const url = await empty();
    await restoreDatabase(kind, url);
    const store = await openTestStore(url);
    const relays = new Set((await store.db.selectFrom('relays').select('id').execute()).map(({ id }) => id));
    const posts = await store.db.selectFrom('outbox').selectAll().execute();
    expect(posts.length).toBeGreaterThan(5);
    expect(posts.filter((post) => post.source !== 'relay' || !relays.has(post.source_id))).toEqual([]);
    const heads = await store.db.selectFrom('queue_heads').selectAll().execute();
    const open = posts.filter((post) => post.finished_at === null);
    expect(open.length).toBeGreaterThan(0);
    for (const { source, source_id, channel, lane, seq } of open) {
      const head = heads.find(
        (one) => one.source === source && one.source_id === source_id && one.channel === channel && one.lane === lane,
      );
      expect(head?.seq).toBeLessThanOrEqual(seq);
    }
    await store.close();
  });
});
