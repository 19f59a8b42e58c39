import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { loadSqliteDriver, type SqliteDriverName } from '../../src/database/dialects/sqlite-driver.js';
import { openDatabase } from '../../src/database/open.js';
import { silentLog } from '../../src/log.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore, sqliteDatabases } from '../helpers/databases.js';

function storesOf(fresh: () => Promise<string>) {
  const open: Store[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((store) => store.close()));
  });
  return async (options: Parameters<typeof openTestStore>[1] = {}, url?: string) => {
    const store = await openTestStore(url ?? (await fresh()), options);
    await store.db.deleteFrom('keyv').where('namespace', '=', 'seal-check').execute();
    open.push(store);
    return store;
  };
}

const keyRow = (key: string) => ({ namespace: 'test', key, value: 'v', expires_at: null });
const keysOf = async (store: Store) =>
  (await store.db.selectFrom('keyv').select('key').orderBy('key').execute()).map((row) => row.key);

onEachDatabase('the database', ({ fresh }) => {
  const openStore = storesOf(fresh);

  it('the database stores any text that UTF-8 can hold unchanged', async () => {
    const store = await openStore();
    for (const text of ['0012', ' a b ', '', '\u001d01\t\r\n', '\'"`\\%_', '𝒳 é ﷽ \u0301', 'x'.repeat(100_000)]) {
      const row = { ...keyRow(`k${text.length}${text.slice(0, 9)}`), value: text };
      await store.db.insertInto('keyv').values(row).execute();
      const back = await store.db.selectFrom('keyv').selectAll().where('key', '=', row.key).executeTakeFirst();
      expect(back?.value).toBe(text);
      expect(back?.key).toBe(row.key);
    }
  });

  it.each([
    ['NUL', 'ab\0cd'],
    ['the first half of a surrogate pair', 'ab\ud83dcd'],
    ['the second half of a surrogate pair', '\ude00'],
  ])('the database refuses text with %s and stores nothing of it', async (_what, text) => {
    const store = await openStore();
    const insert = store.db
      .insertInto('keyv')
      .values({ ...keyRow('k'), value: text })
      .execute();
    await expect(insert).rejects.toMatchObject({ code: 'store.text_unstorable' });
    await expect(sql`insert into audit (id) values (${text})`.execute(store.db)).rejects.toMatchObject({
      code: 'store.text_unstorable',
    });
    expect(await keysOf(store)).toEqual([]);
  });

  it('the database returns times and counts as numbers, and stores booleans as 1 and 0', async () => {
    const store = await openStore();
    const at = 1_795_276_351_661;
    await store.db
      .insertInto('keyv')
      .values({ ...keyRow('k'), expires_at: at })
      .execute();
    const row = await store.db.selectFrom('keyv').select(['expires_at']).executeTakeFirstOrThrow();
    expect(row.expires_at).toBe(at);
    const { count } = await store.db
      .selectFrom('keyv')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect(count).toBe(1);
    await sql`update keyv set expires_at = ${true}`.execute(store.db);
    expect(await store.db.selectFrom('keyv').select('expires_at').execute()).toEqual([{ expires_at: 1 }]);
  });

  it('the database returns the number of changed rows, for built and raw statements', async () => {
    const store = await openStore();
    await store.db
      .insertInto('keyv')
      .values([keyRow('a'), keyRow('b'), keyRow('c')])
      .execute();
    const built = await store.db.updateTable('keyv').set({ value: 'w' }).where('key', '<', 'c').executeTakeFirst();
    expect(built.numUpdatedRows).toBe(2n);
    const raw = await sql`delete from keyv where key >= ${'b'}`.execute(store.db);
    expect(raw.numAffectedRows).toBe(2n);
    const returned = await store.db.deleteFrom('keyv').returning('key').execute();
    expect(returned).toEqual([{ key: 'a' }]);
  });

  it('a duplicate key is reported by its error code, and the stored row stays', async () => {
    const store = await openStore();
    await store.db.insertInto('keyv').values(keyRow('k')).execute();
    await expect(store.db.insertInto('keyv').values(keyRow('k')).execute()).rejects.toMatchObject({
      code: 'store.conflict',
    });
    expect(await keysOf(store)).toEqual(['k']);
  });

  it('an error message of the database contains no stored value', async () => {
    const store = await openStore();
    await store.db.insertInto('keyv').values(keyRow('very-private')).execute();
    const error = await store.db
      .insertInto('keyv')
      .values(keyRow('very-private'))
      .execute()
      .catch((thrown: unknown) => thrown);
    expect(String(error)).not.toContain('very-private');
  });

  it('the database stores nothing of a transaction that fails', async () => {
    const store = await openStore();
    const failed = store.db.transaction().execute(async (trx) => {
      await trx.insertInto('keyv').values(keyRow('a')).execute();
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    const conflicting = store.db.transaction().execute(async (trx) => {
      await trx.insertInto('keyv').values(keyRow('b')).execute();
      await trx.insertInto('keyv').values(keyRow('b')).execute();
    });
    await expect(conflicting).rejects.toMatchObject({ code: 'store.conflict' });
    expect(await keysOf(store)).toEqual([]);
  });

  it('concurrent transactions on the same row run one after another', async () => {
    const store = await openStore();
    await store.db
      .insertInto('keyv')
      .values({ ...keyRow('count'), value: '0' })
      .execute();
    const addOne = () =>
      store.db.transaction().execute(async (trx) => {
        const query = trx.selectFrom('keyv').select('value').where('key', '=', 'count');
        const row = await (store.kind === 'postgres' ? query.forUpdate() : query).executeTakeFirstOrThrow();
        await trx
          .updateTable('keyv')
          .set({ value: String(Number(row.value) + 1) })
          .where('key', '=', 'count')
          .execute();
      });
    await Promise.all(Array.from({ length: 40 }, addOne));
    expect(await store.db.selectFrom('keyv').select('value').execute()).toEqual([{ value: '40' }]);
  });

  it('the database orders and compares keys byte by byte, whatever its locale', async () => {
    const store = await openStore();
    const keys = ['a', 'B', 'Z', 'é', '_', '10', '9', 'T1:x', 'T1', 'T12', 'T1;'];
    await store.db.insertInto('keyv').values(keys.map(keyRow)).execute();
    const bytewise = [...keys].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
    expect(await keysOf(store)).toEqual(bytewise);
    const range = await store.db
      .selectFrom('keyv')
      .select('key')
      .where('key', '>=', 'T1:')
      .where('key', '<', 'T1;')
      .execute();
    expect(range).toEqual([{ key: 'T1:x' }]);
  });

  it('the database refuses to open tables that a newer version made', async () => {
    const url = await fresh();
    const store = await openTestStore(url);
    await sql`insert into kysely_migration (name, timestamp) values ('999-future', '2030-01-01T00:00:00.000Z')`.execute(
      store.db,
    );
    await store.close();
    await expect(openTestStore(url)).rejects.toMatchObject({
      code: 'store.migration',
      cause: { code: 'store.too_new' },
    });
  });

  it('the database still has its data after it was closed and opened again', async () => {
    const url = await fresh();
    const store = await openTestStore(url);
    await store.db.insertInto('keyv').values(keyRow('k')).execute();
    await store.close();
    const again = await openStore({}, url);
    expect(await keysOf(again)).toEqual(['k']);
  });

  it('the database may be closed twice, and refuses queries afterwards', async () => {
    const store = await openTestStore(await fresh());
    await store.close();
    await store.close();
    await expect(store.db.selectFrom('keyv').selectAll().execute()).rejects.toThrow();
  });
});

describe('a SQLite file', () => {
  const { fresh, empty } = sqliteDatabases();
  const openStore = storesOf(fresh);
  const pathOf = (url: string) => url.slice('file:'.length);

  it('a SQLite file is readable by its owner only, its folder and side files too', async () => {
    const path = join(pathOf(await fresh()), '..', 'new', 'folder', 'it.db');
    const store = await openStore({}, `file:${path}`);
    await store.keyv('test').set('k', 1);
    for (const file of [path, `${path}-wal`, `${path}-shm`]) {
      expect([file, (await stat(file)).mode & 0o777]).toEqual([file, 0o600]);
    }
    expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(path, '..', '..'))).mode & 0o777).toBe(0o700);
  });

  it('a SQLite file that other users could read is made private when it is opened', async () => {
    const url = await empty();
    await writeFile(pathOf(url), '', { mode: 0o644 });
    await openStore({}, url);
    expect((await stat(pathOf(url))).mode & 0o777).toBe(0o600);
  });

  it('a SQLite file is durable: write-ahead log, a sync with every commit, foreign keys enforced', async () => {
    const store = await openDatabase({ url: await fresh(), log: silentLog });
    const pragma = async (name: string) =>
      Object.values((await sql.raw(`pragma ${name}`).execute(store.db)).rows[0] as object)[0];
    expect(await pragma('journal_mode')).toBe('wal');
    expect(await pragma('synchronous')).toBe(2);
    expect(await pragma('foreign_keys')).toBe(1);
    await store.close();
  });

  it('a SQLite file may be named relative to the working directory, or as a file URL', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scandesk-store-'));
    const here = process.cwd();
    try {
      process.chdir(folder);
      await (await openTestStore('file:./data/one.db')).close();
      await (await openTestStore(`file://${folder}/t%20wo.db`)).close();
    } finally {
      process.chdir(here);
    }
    expect((await stat(join(folder, 'data/one.db'))).isFile()).toBe(true);
    expect((await stat(join(folder, 't wo.db'))).isFile()).toBe(true);
    await rm(folder, { recursive: true });
  });

  it.each(['file:', 'file::memory:', 'mysql://localhost/x', 'scandesk.db', ''])(
    'the URL "%s" names no SQLite file and is refused',
    async (url) => {
      await expect(openTestStore(url)).rejects.toMatchObject({ code: 'store.url' });
    },
  );

  it('a file that is not a SQLite database is refused and left unchanged', async () => {
    const url = await fresh();
    await writeFile(pathOf(url), 'This is a shopping list and no database. '.repeat(100));
    await expect(openTestStore(url)).rejects.toMatchObject({ code: 'store.url' });
    expect(await readFile(pathOf(url), 'utf8')).toContain('shopping list');
    await expect(openTestStore(`file:${fileURLToPath(import.meta.url)}/x.db`)).rejects.toMatchObject({
      code: 'store.url',
    });
  });

  it('SQLite without room reports an error and stores nothing of a transaction, and later works again', async () => {
    const store = await openStore();
    await store.keyv('test').set('before', 1);
    await sql`pragma max_page_count = 1`.execute(store.db);
    const big = { ...keyRow('big'), value: 'x'.repeat(2_000_000) };
    await expect(store.db.insertInto('keyv').values(big).execute()).rejects.toMatchObject({ code: 'store.full' });
    const inTransaction = store.db.transaction().execute(async (trx) => {
      await trx.insertInto('keyv').values(keyRow('small')).execute();
      await trx.insertInto('keyv').values(big).execute();
    });
    await expect(inTransaction).rejects.toMatchObject({ code: 'store.full' });
    expect(await keysOf(store)).toEqual(['before']);
    await sql`pragma max_page_count = 1000000`.execute(store.db);
    await store.db.insertInto('keyv').values(big).execute();
    expect(await keysOf(store)).toEqual(['before', 'big']);
  });

  it('a SQLite file with text that is not UTF-8 is read without a crash', async () => {
    const store = await openStore();
    await sql`insert into keyv (namespace, key, value) values ('test', 'k', cast(x'61ff62' as text))`.execute(store.db);
    const row = await store.db.selectFrom('keyv').select('value').executeTakeFirstOrThrow();
    expect(row.value).toBe('a\ufffdb');
  });

  it('SQLite still works with more different statements than it keeps prepared', async () => {
    const store = await openStore();
    for (let n = 1; n <= 620; n++) {
      const result = await sql.raw<{ n: number }>(`select ${n} as n`).execute(store.db);
      expect(result.rows[0]?.n).toBe(n);
    }
  });
});

describe.each<SqliteDriverName>(['node:sqlite', '@photostructure/sqlite'])('the driver %s', (name) => {
  const { fresh } = sqliteDatabases();
  // Node has `node:sqlite` since 22.5; an older Node must be found to have none.
  const driver = loadSqliteDriver(name);

  it('each SQLite driver that this Node offers works with the store', async () => {
    if (driver === undefined) {
      expect(name).toBe('node:sqlite');
      expect(Number(process.versions.node.split('.')[0])).toBeLessThan(23);
      return;
    }
    const store = await openTestStore(await fresh(), { sqliteDriver: driver });
    await store.keyv('other').set('k', 'ü');
    expect(await store.keyv('other').get('k')).toBe('ü');
    await expect(store.db.insertInto('keyv').values(keyRow('k')).execute()).resolves.toBeDefined();
    await expect(store.db.insertInto('keyv').values(keyRow('k')).execute()).rejects.toMatchObject({
      code: 'store.conflict',
    });
    await store.close();
  });
});
