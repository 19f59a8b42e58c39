import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseSqliteDriver } from '../../../src/database/dialects/sqlite-driver.js';
import { SqliteEngine } from '../../../src/database/dialects/sqlite-engine.js';
import type { SqliteFastPath } from '../../../src/database/types.js';
import type { Store } from '../../../src/workspaces/types.js';
import { openTestStore, sqliteDatabases } from '../../helpers/databases.js';

const insert = 'insert into keyv (namespace, key, value) values (?, ?, ?)';

describe('the synchronous path of SQLite', () => {
  const { fresh } = sqliteDatabases();
  let store: Store;
  let sqlite: SqliteFastPath;

  beforeEach(async () => {
    store = await openTestStore(await fresh());
    await store.db.deleteFrom('keyv').execute();
    sqlite = store.sqlite as SqliteFastPath;
  });
  afterEach(() => store.close());

  const keys = async () =>
    (
      await store.db.selectFrom('keyv').select('key').where('namespace', '<>', 'seal-check').orderBy('key').execute()
    ).map((r) => r.key);

  it('commits many small writes together and answers with what the work returns', async () => {
    const changed = await sqlite.transaction((prepare) => {
      const statement = prepare(insert);
      return ['a', 'b', 'c'].map((key) => statement.run('test', key, 'v'));
    });
    expect(changed).toEqual([1, 1, 1]);
    expect(await keys()).toEqual(['a', 'b', 'c']);
  });

  it('reads one row, all rows, or none', async () => {
    await sqlite.transaction((prepare) => {
      const all = prepare('select key from keyv where namespace = ? order by key');
      expect(all.get('test')).toBeUndefined();
      prepare(insert).run('test', 'a', 'v');
      prepare(insert).run('test', 'b', 'v');
      expect(all.get<{ key: string }>('test')?.key).toBe('a');
      expect(all.all<{ key: string }>('test').map((row) => row.key)).toEqual(['a', 'b']);
    });
  });

  it('has begun and committed before it returns when nobody is in the way', () => {
    let worked = false;
    const promise = sqlite.transaction(() => {
      worked = true;
    });
    expect(worked).toBe(true);
    return promise;
  });

  it('keeps nothing when the work throws, and hands the error on', async () => {
    const failed = sqlite.transaction((prepare) => {
      prepare(insert).run('test', 'a', 'v');
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    expect(await keys()).toEqual([]);
  });

  it('checks parameters as everything else does', async () => {
    const cut = sqlite.transaction((prepare) => prepare(insert).run('test', 'a\0b', 'v'));
    await expect(cut).rejects.toMatchObject({ code: 'store.text_unstorable' });
    const twice = sqlite.transaction((prepare) => {
      prepare(insert).run('test', 'a', true);
      prepare(insert).run('test', 'a', 'v');
    });
    await expect(twice).rejects.toMatchObject({ code: 'store.conflict' });
    expect(await keys()).toEqual([]);
  });

  it('refuses work that goes on after it returned', async () => {
    const late = sqlite.transaction(async (prepare) => prepare(insert).run('test', 'a', 'v'));
    await expect(late).rejects.toMatchObject({ code: 'store.failed' });
    expect(await keys()).toEqual([]);
  });

  it('waits for a transaction in progress, and is not part of it', async () => {
    let finish: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const slow = store.db.transaction().execute(async (trx) => {
      await trx.insertInto('keyv').values({ namespace: 'test', key: 'slow', value: 'v', expires_at: null }).execute();
      await held;
      throw new Error('rolled back');
    });
    await new Promise((resolve) => setImmediate(resolve));
    let worked = false;
    const fast = sqlite.transaction((prepare) => {
      worked = true;
      prepare(insert).run('test', 'fast', 'v');
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(worked).toBe(false);
    finish();
    await expect(slow).rejects.toThrow('rolled back');
    await fast;
    expect(await keys()).toEqual(['fast']);
  });

  it('takes turns with everybody else in the order in which they asked', async () => {
    const order: string[] = [];
    const kysely = (name: string) =>
      store.db.transaction().execute(async (trx) => {
        await trx.selectFrom('keyv').selectAll().execute();
        order.push(name);
      });
    const direct = (name: string) =>
      sqlite.transaction(() => {
        order.push(name);
      });
    await Promise.all([kysely('1'), direct('2'), kysely('3'), direct('4'), direct('5')]);
    expect(order.indexOf('1')).toBeLessThan(order.indexOf('3'));
    expect(order.indexOf('2')).toBeLessThan(order.indexOf('4'));
    expect(order.indexOf('4')).toBeLessThan(order.indexOf('5'));
    expect(order).toHaveLength(5);
  });

  it('is refused once the store is closed', async () => {
    await store.close();
    await expect(sqlite.transaction(() => 1)).rejects.toMatchObject({ code: 'store.unavailable' });
  });
});

describe('the one connection to a SQLite file', () => {
  const { fresh } = sqliteDatabases();

  it('finishes what was asked for before it closes, and refuses what comes after', async () => {
    const engine = new SqliteEngine((await fresh()).slice('file:'.length), chooseSqliteDriver());
    await engine.acquire();
    const before = engine.transaction(() => 'done');
    const closing = engine.close();
    const after = engine.transaction(() => 'late');
    engine.release();
    await expect(before).resolves.toBe('done');
    await expect(after).rejects.toMatchObject({ code: 'store.unavailable' });
    await closing;
  });

  it('says so instead of hanging when a turn never comes', async () => {
    const path = (await fresh()).slice('file:'.length);
    const engine = new SqliteEngine(path, chooseSqliteDriver(), { turnTimeoutMs: 20 });
    await engine.acquire();
    await expect(engine.acquire()).rejects.toMatchObject({ code: 'store.busy' });
    engine.release();
    await engine.acquire();
    engine.release();
    await engine.close();
  });

  it('waits for another one’s transaction without holding up whoever is in it', async () => {
    const path = (await fresh()).slice('file:'.length);
    const [one, other] = [new SqliteEngine(path, chooseSqliteDriver()), new SqliteEngine(path, chooseSqliteDriver())];
    await one.acquire();
    await one.begin();
    const order: string[] = [];
    const second = other.transaction(() => order.push('other'));
    // More turns of the event loop than one that is held up could ever take.
    for (let turn = 0; turn < 20; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    order.push('one');
    one.exec('commit');
    one.release();
    await second;
    expect(order).toEqual(['one', 'other']);
    await Promise.all([one.close(), other.close()]);
  });
});
