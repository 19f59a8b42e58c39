import { describe, expect, it } from 'vitest';
import { chooseSqliteDriver } from '../../src/database/dialects/sqlite-driver.js';
import { SqliteEngine } from '../../src/database/dialects/sqlite-engine.js';
import type { Store } from '../../src/workspaces/types.js';
import { openTestStore, sqliteDatabases } from '../helpers/databases.js';

describe('transactions on a SQLite file', () => {
  const { fresh } = sqliteDatabases();
  const openStore = async (): Promise<Store> => openTestStore(await fresh());
  const keyRow = (key: string) => ({ namespace: 'test', key, value: 'v', expires_at: null });
  const keysOf = async (store: Store) =>
    (await store.db.selectFrom('keyv').select('key').where('namespace', '=', 'test').execute()).map(({ key }) => key);

  it('a transaction on a SQLite file waits for a transaction in progress, and survives its rollback', async () => {
    const store = await openStore();
    let finish: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const slow = store.db.transaction().execute(async (trx) => {
      await trx.insertInto('keyv').values(keyRow('slow')).execute();
      await held;
      throw new Error('rolled back');
    });
    await new Promise((resolve) => setImmediate(resolve));
    let worked = false;
    const next = store.db.transaction().execute(async (trx) => {
      worked = true;
      await trx.insertInto('keyv').values(keyRow('next')).execute();
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(worked).toBe(false);
    finish();
    await expect(slow).rejects.toThrow('rolled back');
    await next;
    expect(await keysOf(store)).toEqual(['next']);
    await store.close();
  });

  it('transactions on a SQLite file run in the order in which they were requested', async () => {
    const store = await openStore();
    const order: string[] = [];
    const work = (name: string) =>
      store.db.transaction().execute(async (trx) => {
        await trx.selectFrom('keyv').selectAll().execute();
        order.push(name);
      });
    await Promise.all(['1', '2', '3', '4', '5'].map(work));
    expect(order).toEqual(['1', '2', '3', '4', '5']);
    await store.close();
  });

  it('transactions on a SQLite file are refused once the store is closed', async () => {
    const store = await openStore();
    await store.close();
    const late = store.db.transaction().execute(async () => 1);
    await expect(late).rejects.toThrow();
  });
});

describe('the one connection to a SQLite file', () => {
  const { fresh } = sqliteDatabases();

  it('a closing SQLite connection serves requests made before, and refuses later requests', async () => {
    const engine = new SqliteEngine((await fresh()).slice('file:'.length), chooseSqliteDriver());
    await engine.acquire();
    const before = engine.acquire().then(() => engine.release());
    const closing = engine.close();
    const after = engine.acquire();
    engine.release();
    await before;
    await expect(after).rejects.toMatchObject({ code: 'store.unavailable' });
    await closing;
  });

  it('a caller who waits too long for the SQLite connection is refused with the error store.busy', async () => {
    const path = (await fresh()).slice('file:'.length);
    const engine = new SqliteEngine(path, chooseSqliteDriver(), { turnTimeoutMs: 20 });
    await engine.acquire();
    await expect(engine.acquire()).rejects.toMatchObject({ code: 'store.busy' });
    engine.release();
    await engine.acquire();
    engine.release();
    await engine.close();
  });

  it('a SQLite connection waits for another connection’s transaction, which can commit meanwhile', async () => {
    const path = (await fresh()).slice('file:'.length);
    const [one, other] = [new SqliteEngine(path, chooseSqliteDriver()), new SqliteEngine(path, chooseSqliteDriver())];
    await one.acquire();
    await one.begin();
    const order: string[] = [];
    const second = other.begin().then(() => order.push('other'));
    // More turns of the event loop than one that is held up could ever take.
    for (let turn = 0; turn < 20; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    order.push('one');
    one.exec('commit');
    one.release();
    await second;
    other.exec('commit');
    expect(order).toEqual(['one', 'other']);
    await Promise.all([one.close(), other.close()]);
  });
});
