import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/clock.js';
import { systemClock } from '../../src/clock.js';
import { createRecordPurge, pruneExpired } from '../../src/database/expired-records.js';
import { DatabaseKeyv } from '../../src/database/keyv-store.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { keyvStorageSuite } from '../helpers/keyv-suite.js';

onEachDatabase('keys and values', ({ fresh }) => {
  let store: Store;
  let now = 1_000_000;
  const clock: Clock = { now: () => now, sleep: systemClock.sleep };

  beforeAll(async () => {
    store = await openTestStore(await fresh(), { clock });
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await store.db.deleteFrom('keyv').execute();
  });

  const countRows = async () => (await store.db.selectFrom('keyv').select('key').execute()).length;

  describe('the storage adapter, by Keyv’s own suite', () => {
    keyvStorageSuite(() => new DatabaseKeyv({ db: store.db, kind: store.kind, clock: systemClock }));
  });

  describe('Keyv instances of the store', () => {
    it('Keyv entries expire by the store’s clock, not by the machine’s', async () => {
      const keyv = store.keyv<string>('cache', { ttlMs: 1000 });
      await keyv.set('foo', 'bar');
      await keyv.set('longer', 'bar', 5000);
      now += 999;
      expect(await keyv.get('foo')).toBe('bar');
      now += 1;
      expect(await keyv.get('foo')).toBeUndefined();
      expect(await keyv.has('foo')).toBe(false);
      expect(await keyv.getMany(['foo', 'longer'])).toEqual([undefined, 'bar']);
      expect(await keyv.delete('foo')).toBe(false);
      expect(await keyv.get('longer')).toBe('bar');
    });

    it('each Keyv namespace has its own keys, even where a key contains another namespace’s name', async () => {
      const a = store.keyv<number>('a');
      const b = store.keyv<number>('a:b');
      await a.set('b:c', 1);
      await a.set('a:c', 2);
      await a.set('c', 3);
      await b.set('c', 4);
      expect(await a.get(['b:c', 'a:c', 'c'])).toEqual([1, 2, 3]);
      expect(await a.get('a:c')).toBe(2);
      expect(await a.get('c')).toBe(3);
      await a.clear();
      expect(await b.get('c')).toBe(4);
    });

    it('a Keyv namespace iterates over its entries with their keys as they were set', async () => {
      const keyv = store.keyv<number>('a');
      await keyv.set('a:c', 1);
      await keyv.set('T1:T1:x', 2);
      const entries: unknown[] = [];
      for await (const entry of keyv.iterator?.(undefined) ?? []) {
        entries.push(entry);
      }
      expect(entries).toEqual([
        ['T1:T1:x', 2],
        ['a:c', 1],
      ]);
    });

    it.each<[unknown]>([[undefined], [null], [false], [''], [{ a: [1, null, 'x\0'] }]])(
      'a Keyv namespace stores the value %j unchanged',
      async (value) => {
        const keyv = store.keyv<unknown>('a');
        await keyv.set('k', value);
        expect(await keyv.get('k')).toEqual(value);
        expect(await keyv.getMany(['k'])).toEqual([value]);
        expect(await keyv.has('k')).toBe(true);
      },
    );

    it('a Keyv namespace sets and deletes thousands of keys at once, all or none', async () => {
      const keyv = store.keyv<number>('many');
      const entries = Array.from({ length: 1201 }, (_, n) => ({ key: `k${n}`, value: n }));
      await keyv.setMany(entries);
      const keys = entries.map(({ key }) => key);
      expect(await keyv.getMany(keys)).toEqual(entries.map(({ value }) => value));
      expect((await keyv.hasMany(keys)).every(Boolean)).toBe(true);
      await expect(
        keyv.setMany([...entries.map((entry) => ({ ...entry, value: -1 })), { key: 'z\0', value: 0 }]),
      ).rejects.toMatchObject({
        code: 'store.text_unstorable',
      });
      expect(await keyv.get('k0')).toBe(0);
      expect(await keyv.deleteMany(keys)).toBe(true);
      expect(await countRows()).toBe(0);
    });

    it('a Keyv operation throws the database’s error instead of returning nothing', async () => {
      const keyv = store.keyv<number>('a');
      await expect(keyv.get('a\0')).rejects.toMatchObject({ code: 'store.text_unstorable' });
      await expect(keyv.set('a\ud800', 1)).rejects.toMatchObject({ code: 'store.text_unstorable' });
      await expect(keyv.delete('a\0')).rejects.toMatchObject({ code: 'store.text_unstorable' });
      await expect(keyv.has('a\0')).rejects.toMatchObject({ code: 'store.text_unstorable' });
    });

    it.each(['{"value":"half', 'null', '"text"', ''])(
      'a stored Keyv value %j is reported as broken, and no error quotes it',
      async (value) => {
        await store.db.insertInto('keyv').values({ namespace: 'a', key: 'k', value, expires_at: null }).execute();
        const error = await store
          .keyv('a')
          .get('k')
          .catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({ code: 'store.record_broken' });
        expect(inspect(error)).not.toContain('half');
        await expect(store.keyv('a').getMany(['k'])).rejects.toMatchObject({ code: 'store.record_broken' });
      },
    );

    it('a Keyv namespace refuses a key too long for PostgreSQL to index, on either database', async () => {
      const keyv = store.keyv<number>('a');
      await keyv.set('é'.repeat(999), 1);
      await expect(keyv.set('é'.repeat(1001), 1)).rejects.toMatchObject({ code: 'store.key_too_long' });
    });

    it('Keyv keys that several writers set together all have the values of one writer afterwards', async () => {
      const keyv = store.keyv<number>('a');
      await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          keyv.setMany((n % 2 ? ['x', 'y', 'z'] : ['z', 'y', 'x']).map((key) => ({ key, value: n }))),
        ),
      );
      const [x, y, z] = await keyv.getMany(['x', 'y', 'z']);
      expect([x, y]).toEqual([y, z]);
    });
  });

  describe('expired entries', () => {
    it('expired Keyv entries are all removed even if nothing is written any more', async () => {
      const keyv = store.keyv<number>('cache');
      await keyv.setMany(Array.from({ length: 1_100 }, (_, n) => ({ key: `k${n}`, value: n, ttl: 10 })));
      await keyv.set('stays', 1);
      now += 3_600_000;
      await createRecordPurge(store, { ...systemClock, now: () => now })(new AbortController().signal);
      expect(await countRows()).toBe(1);
    });

    it('expired Keyv entries are removed in bounded batches, the earliest expired first', async () => {
      const keyv = store.keyv<number>('cache');
      await keyv.setMany(Array.from({ length: 10 }, (_, n) => ({ key: `k${n}`, value: n, ttl: 1000 - n })));
      await keyv.set('alive', 1, 10_000);
      expect(await pruneExpired(store.db, now + 1000, 4)).toBe(4);
      const left = await store.db.selectFrom('keyv').select('key').orderBy('key').execute();
      expect(left.map((row) => row.key)).toEqual(['alive', 'k0', 'k1', 'k2', 'k3', 'k4', 'k5']);
      expect(await pruneExpired(store.db, now + 1000, 100)).toBe(6);
      expect(await pruneExpired(store.db, now + 1000, 100)).toBe(0);
      expect(await countRows()).toBe(1);
    });
  });
});
