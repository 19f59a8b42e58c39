import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { bulkStatement } from '../../src/database/bulk.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';

const insert = bulkStatement(
  { namespace: 'text', key: 'text', value: 'text', expires_at: 'bigint' },
  ({ input, inOrder }) => `insert into keyv (namespace, key, value, expires_at)
    select namespace, key, value, expires_at from ${input} where true ${inOrder}`,
);
const select = bulkStatement(
  { key: 'text' },
  ({ input }) => `select input.n, keyv.value, keyv.expires_at from ${input} cross join keyv
    where keyv.namespace = 'bulk' and keyv.key = input.key`,
);

const row = (key: string, value = 'v', expires_at: number | null = null) => ({
  namespace: 'bulk',
  key,
  value,
  expires_at,
});

onEachDatabase('a statement over many rows', (databases) => {
  let store: Store;
  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
  });
  beforeEach(() => store.db.deleteFrom('keyv').where('namespace', '=', 'bulk').execute());
  afterAll(() => store.close());
  const keys = async () =>
    (await store.db.selectFrom('keyv').select('key').where('namespace', '=', 'bulk').orderBy('key').execute()).map(
      ({ key }) => key,
    );

  it('a bulk statement writes each row unchanged, and returns each row with its position', async () => {
    const text = `0012 "quoted" 'single' \\ \u001d ü 🎫 {"json": [1]}`;
    await insert(store.db, [row('a', text, 1_777_000_000_000), row('b'), row('c')]);
    const found = await select<{ n: number; value: string; expires_at: number | null }>(store.db, [
      { key: 'missing' },
      { key: 'a' },
      { key: 'b' },
    ]);
    expect([...found].sort((a, b) => a.n - b.n)).toEqual([
      { n: 1, value: text, expires_at: 1_777_000_000_000 },
      { n: 2, value: 'v', expires_at: null },
    ]);
  });

  it('a bulk statement for no rows returns an empty result', async () => {
    await expect(insert(store.db, [])).resolves.toEqual([]);
  });

  it('a bulk insert of two rows with one key fails with a conflict and stores none of its rows', async () => {
    const write = store.db.transaction().execute((trx) => insert(trx, [row('a'), row('b'), row('a')]));
    await expect(write).rejects.toMatchObject({ code: 'store.conflict' });
    expect(await keys()).toEqual([]);
  });

  it('a bulk statement refuses values that would not read back unchanged, before it writes', async () => {
    for (const bad of ['nul \0', 'half \ud800']) {
      await expect(insert(store.db, [row('a'), row('b', bad)])).rejects.toMatchObject({
        code: 'store.text_unstorable',
      });
    }
    expect(await keys()).toEqual([]);
  });

  it('a bulk statement is part of the transaction that it runs in', async () => {
    const write = store.db.transaction().execute(async (trx) => {
      await insert(trx, [row('a')]);
      const { rows } = await sql<{ n: number }>`select count(*) as n from keyv where namespace = 'bulk'`.execute(trx);
      expect(rows[0]?.n).toBe(1);
      throw new Error('changed my mind');
    });
    await expect(write).rejects.toThrow('changed my mind');
    expect(await keys()).toEqual([]);
  });
});
