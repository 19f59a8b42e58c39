import { expect, it } from 'vitest';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';

const oldKey = Buffer.alloc(32, 'o');
const newKey = Buffer.alloc(32, 'n');

onEachDatabase('the sealing key at the start', ({ fresh }) => {
  const opens = async (url: string, ...secretKeys: Buffer[]) => (await openTestStore(url, { secretKeys })).close();
  const refusal = { code: 'store.seal_key' };

  it('the sealing key at the start has to be the one that the database was sealed with', async () => {
    const url = await fresh();
    await opens(url, oldKey);
    await expect(opens(url, newKey)).rejects.toMatchObject(refusal);
    await opens(url, oldKey);
  });

  it('the sealing key at the start may be changed with the old one behind it, and then stand alone', async () => {
    const url = await fresh();
    await opens(url, oldKey);
    await opens(url, newKey, oldKey);
    await opens(url, newKey);
    await expect(opens(url, oldKey)).rejects.toMatchObject(refusal);
  });

  it('the sealing key at the start may be made known to all instances before one of them begins to use it', async () => {
    const url = await fresh();
    await opens(url, oldKey);
    await opens(url, oldKey, newKey);
    await opens(url, newKey, oldKey);
    await opens(url, oldKey, newKey);
    await opens(url, oldKey);
  });

  it('the sealing key at the start is anybody’s where nothing is sealed, and nobody’s failure where a record is broken', async () => {
    const url = await fresh();
    const store = await openTestStore(url, { secretKeys: [oldKey] });
    await store.db.deleteFrom('keyv').execute();
    await store.keyv('installation').set('T9', 'broken');
    await opens(url, newKey);
    await store.close();
  });
});
