import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { migrations } from '../../src/database/migrations/index.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { startStoreProcess } from '../helpers/store-process.js';

onEachDatabase('migrations', ({ empty }) => {
  it('migrating an empty database succeeds in each of several processes that start at once', async () => {
    const url = await empty();
    const ended = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const child = startStoreProcess(url, 'open');
        const [[code], errors] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
        return { code, errors };
      }),
    );
    expect(ended).toEqual(Array.from({ length: 4 }, () => ({ code: 0, errors: '' })));
    const store = await openTestStore(url);
    const wrote = await store.db.selectFrom('keyv').select('key').where('namespace', '=', 'processes').execute();
    expect(wrote).toHaveLength(4);
    const ran = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(store.db);
    expect(ran.rows.map((row) => row.name)).toEqual(Object.keys(migrations).sort());
    await store.close();
  }, 60_000);

  it('a database opens again with its data though its first migration is dated in the future', async () => {
    const url = await empty();
    await (await openTestStore(url)).close();
    const store = await openTestStore(url);
    await sql`update kysely_migration set timestamp = '2099-01-01T00:00:00.000Z' where name like '001%'`.execute(
      store.db,
    );
    await store.keyv('test').set('k', 1);
    await store.close();
    const again = await openTestStore(url);
    expect(await again.keyv('test').get('k')).toBe(1);
    await again.close();
  });
});
