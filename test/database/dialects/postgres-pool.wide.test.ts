import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Log, silentLog } from '../../../src/log.js';
import type { Store } from '../../../src/workspaces/types.js';
import { openTestStore, postgresDatabases } from '../../helpers/databases.js';
import { startSilentProxy } from '../../helpers/silent-proxy.js';
import { codeRejected } from '../../helpers/thrown.js';

describe('a connection to PostgreSQL', () => {
  const databases = postgresDatabases();
  let url: string;
  let store: Store;
  beforeAll(async () => {
    url = await databases.fresh();
    store = await openTestStore(url, { limits: { lockMs: 200, statementMs: 1_000, idleInTransactionMs: 500 } });
    await store.keyv('test').set('row', 1);
  });
  afterAll(() => store.close());

  const holding = sql`select 1 from keyv where namespace = 'test' for update`;
  const settingsOf = async ({ db }: Pick<Store, 'db'>) => {
    const names = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'];
    const { rows } = await sql<{ setting: string }>`select setting from pg_settings where name in (${sql.join(names)})
      order by array_position(array[${sql.join(names)}]::text[], name)`.execute(db);
    return rows.map(({ setting }) => Number(setting));
  };

  it('a connection to PostgreSQL limits locks, statements and idle transactions by default', async () => {
    const usual = await openTestStore(url);
    expect(await settingsOf(usual)).toEqual([1_500, 8_000, 5_000]);
    const names = { name: 'limits', text: "select current_setting('statement_timeout') as statement" };
    expect(await usual.reads!.all(names, [])).toEqual([{ statement: '1500ms' }]);
    await usual.close();
  });

  it('a connection to PostgreSQL uses no JIT, and no parallel workers unless an operator sets some', async () => {
    const planning = async (of: string) => {
      const opened = await openTestStore(of);
      const { rows } = await sql`select current_setting('jit') as jit,
        current_setting('max_parallel_workers_per_gather') as workers`.execute(opened.db);
      await opened.close();
      return rows[0];
    };
    expect(await planning(url)).toEqual({ jit: 'off', workers: '0' });
    const own = new URL(url);
    own.searchParams.set('options', '-c max_parallel_workers_per_gather=3');
    expect(await planning(own.href)).toEqual({ jit: 'off', workers: '3' });
  });

  it('a connection to PostgreSQL keeps the limits that an operator set in the URL or for the database', async () => {
    const own = new URL(url);
    own.searchParams.set('options', '-c lock_timeout=77');
    own.searchParams.set('statement_timeout', '66000');
    const inUrl = await openTestStore(own.href);
    expect(await settingsOf(inUrl)).toEqual([77, 66_000, 5_000]);
    await inUrl.close();
    const database = new URL(url).pathname.slice(1);
    await sql`alter database ${sql.id(database)} set idle_in_transaction_session_timeout = '9s'`.execute(store.db);
    const forDatabase = await openTestStore(url);
    expect(await settingsOf(forDatabase)).toEqual([1_500, 8_000, 9_000]);
    await forDatabase.close();
    await sql`alter database ${sql.id(database)} reset idle_in_transaction_session_timeout`.execute(store.db);
  });

  it('a statement that waits too long for a locked row on PostgreSQL fails with the error store.locked', async () => {
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query('begin');
    await other.query(`select 1 from keyv where namespace = 'test' for update`);
    expect(await codeRejected(store.keyv('test').set('row', 2))).toBe('store.locked');
    await other.query('rollback');
    await other.end();
    await store.keyv('test').set('row', 2);
  });

  it('a PostgreSQL transaction that is silent for too long is aborted, and its locks are released', async () => {
    const silent = store.db.transaction().execute(async (trx) => {
      await holding.execute(trx);
      await expect.poll(() => codeRejected(store.keyv('test').set('row', 3)), { interval: 1 }).toBe(undefined);
      await sql`select 1`.execute(trx);
    });
    expect(await codeRejected(silent)).toBe('store.unavailable');
    expect(await store.keyv('test').get('row')).toBe(3);
  });

  it('a PostgreSQL statement that takes too long is aborted, and the next statement works', async () => {
    expect(await codeRejected(sql`select pg_sleep(60)`.execute(store.db))).toBe('store.unavailable');
    expect((await sql`select 1 as one`.execute(store.db)).rows).toEqual([{ one: 1 }]);
  });

  it('a start that waits for another instance’s migration in PostgreSQL may take longer than a statement', async () => {
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    // The id of Kysely's advisory lock for migrations.
    await other.query('select pg_advisory_lock(3853314791062309107)');
    let opened = false;
    const limits = { lockMs: 50, statementMs: 50, graceMs: 50 };
    const opening = openTestStore(url, { limits }).finally(() => {
      opened = true;
    });
    await sql`select pg_sleep(0.7)`.execute(store.db);
    expect(opened).toBe(false);
    await other.end();
    await (await opening).close();
  });
});

describe('connections to PostgreSQL that go silent', () => {
  const databases = postgresDatabases();
  const limits = { statementMs: 600, graceMs: 200 };

  let warned: string[] = [];
  const log = Object.assign(Object.create(silentLog) as Log, {
    warn: (...said: unknown[]) => warned.push(String(said.at(-1))),
  });

  const throughProxy = async () => {
    const proxy = await startSilentProxy(await databases.fresh());
    const store = await openTestStore(proxy.url, { poolSize: 5, limits, log });
    warned = [];
    await Promise.all(Array.from({ length: 5 }, () => sql`select pg_sleep(0.1)`.execute(store.db)));
    return { proxy, store };
  };

  it('silent connections to PostgreSQL make one query fail, after which queries work again', async () => {
    const { proxy, store } = await throughProxy();
    expect(proxy.open()).toBe(5);
    proxy.silence();
    expect(await codeRejected(sql`select 1`.execute(store.db))).toBe('store.unavailable');
    for (let n = 0; n < 5; n++) {
      expect(await codeRejected(sql`select 1`.execute(store.db))).toBe(undefined);
    }
    await store.close();
    await proxy.close();
  });

  it('a transaction on a silent PostgreSQL connection fails without a wait for its rollback', async () => {
    const { proxy, store } = await throughProxy();
    const cut = store.db.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx);
      proxy.silence();
      await sql`select 2`.execute(trx);
    });
    expect(await codeRejected(cut)).toBe('store.unavailable');
    // A rollback would have waited for one more answer that never comes, with one more warning.
    expect(warned).toEqual(['a database connection does not respond: reconnecting all']);
    expect(await codeRejected(sql`select 1`.execute(store.db))).toBe(undefined);
    await store.close();
    await proxy.close();
  });

  it('a read by whole keys on a silent PostgreSQL connection fails once, and does not stop a shutdown', async () => {
    const { proxy, store } = await throughProxy();
    const one = { name: 'one', text: 'select 1 as one' };
    await store.reads!.all(one, []);
    proxy.silence();
    expect(await codeRejected(store.reads!.all(one, []))).toBe('store.unavailable');
    expect(await store.reads!.all(one, [])).toEqual([{ one: 1 }]);
    proxy.silence();
    const reading = codeRejected(store.reads!.all(one, []));
    await store.close();
    expect(await reading).toBe('store.unavailable');
    await proxy.close();
  });
});
