import { expect, it } from 'vitest';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';

const oldKey = Buffer.alloc(32, 'o');
const newKey = Buffer.alloc(32, 'n');

onEachDatabase('the sealing key at the start', ({ fresh }) => {
  const opens = async (url: string, ...secretKeys: Buffer[]) => (await openTestStore(url, { secretKeys })).close();
  const refusal = { code: 'store.seal_key' };

  it('starting needs the sealing key with which the database was sealed', async () => {
    const url = await fresh();
    await opens(url, oldKey);
    await expect(opens(url, newKey)).rejects.toMatchObject(refusal);
    await opens(url, oldKey);
  });

  it('starting works with a new sealing key added before the old key, and later with the new key alone', async () => {
    const url = await fresh();
    await opens(url, oldKey);
    await opens(url, newKey, oldKey);
    await opens(url, newKey);
    await expect(opens(url, oldKey)).rejects.toMatchObject(refusal);
  });

  it('starting works with an old and a new sealing key in either order, and again with the old key alone', async () => {
    const url = await fresh();
    await opens(url, oldKey);
    await opens(url, oldKey, newKey);
    await opens(url, newKey, oldKey);
    await opens(url, oldKey, newKey);
    await opens(url, oldKey);
  });

  it('starting accepts any sealing key if nothing is sealed, even if a record is broken', async () => {
    const url = await fresh();
    const store = await openTestStore(url, { secretKeys: [oldKey] });
    await store.db.deleteFrom('keyv').execute();
    await store.keyv('installation').set('T9', 'broken');
    await opens(url, newKey);
    await store.close();
  });
});
