import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openTestStore, postgresDatabases } from '../helpers/databases.js';

describe('PostgreSQL', () => {
  const { fresh } = postgresDatabases();

  it('a PostgreSQL server that refuses connections or lacks the database is reported as unavailable', async () => {
    await expect(openTestStore('postgres://nobody@127.0.0.1:1/none')).rejects.toMatchObject({
      code: 'store.unavailable',
    });
    const url = new URL(await fresh());
    url.pathname = '/there_is_no_such_database';
    await expect(openTestStore(url.href)).rejects.toMatchObject({ code: 'store.unavailable' });
  });

  it('PostgreSQL may close every connection: later queries are answered by a new connection', async () => {
    const store = await openTestStore(await fresh());
    await store.keyv('test').set('k', 1);
    const end = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(store.db);
    await Promise.all(Array.from({ length: 5 }, () => sql`select pg_sleep(0.05)`.execute(store.db)));
    await end();
    const broken = store.db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(trx);
      await sql`select 1`.execute(trx);
    });
    await expect(broken).rejects.toMatchObject({ code: 'store.unavailable' });
    await expect
      .poll(() =>
        store
          .keyv('test')
          .get('k')
          .catch(() => undefined),
      )
      .toBe(1);
    await store.close();
  });

  it('a deadlock of two PostgreSQL transactions ends one of the two with the error store.busy', async () => {
    const store = await openTestStore(await fresh());
    await store.keyv('test').setMany([
      { key: 'a', value: 1 },
      { key: 'b', value: 1 },
    ]);
    let first: () => void = () => undefined;
    const bothHold = [new Promise<void>((resolve) => (first = resolve))];
    let second: () => void = () => undefined;
    bothHold.push(new Promise<void>((resolve) => (second = resolve)));
    const lockThen = (mine: string, other: string, held: () => void) =>
      store.db.transaction().execute(async (trx) => {
        await trx.updateTable('keyv').set({ value: '1' }).where('key', '=', mine).execute();
        held();
        await Promise.all(bothHold);
        await trx.updateTable('keyv').set({ value: '2' }).where('key', '=', other).execute();
      });
    const outcomes = await Promise.allSettled([lockThen('a', 'b', first), lockThen('b', 'a', second)]);
    const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(rejected).toHaveLength(1);
    expect(rejected[0]?.reason).toMatchObject({ code: 'store.busy' });
    await store.close();
  });
});
