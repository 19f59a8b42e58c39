import { expect, it } from 'vitest';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';

onEachDatabase('the store', ({ fresh }) => {
  it('opens an empty database and finds its tables', async () => {
    const store = await openTestStore(await fresh());
    expect(await store.db.selectFrom('keyv').selectAll().execute()).toEqual([]);
    await store.close();
  });
});
