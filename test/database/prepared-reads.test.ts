import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reads } from '../../src/database/types.js';
import { createDatabaseMirrors } from '../../src/mirror/tables/databases.js';
import type { Store } from '../../src/workspaces/types.js';
import { onPostgres, openTestStore, sqliteDatabases } from '../helpers/databases.js';
import { owner } from '../helpers/relay.js';
import { codeRejected } from '../helpers/thrown.js';

onPostgres('looking up by whole keys on PostgreSQL', (databases) => {
  let url: string;
  let store: Store;
  beforeAll(async () => {
    url = await databases.fresh();
    store = await openTestStore(url, { poolSize: 1 });
  });
  afterAll(() => store.close());
  const reads = () => store.reads!;

  it('a read by whole keys on PostgreSQL is planned by an index alone, also on an empty table', async () => {
    const settings = await reads().all<Record<string, string>>(
      { name: 'settings', text: `select current_setting('enable_seqscan') as scan, $1::text as given` },
      ['00123 '],
    );
    expect(settings).toEqual([{ scan: 'off', given: '00123 ' }]);
    const plans: unknown[] = [];
    const explained: Reads = {
      all: async (statement, values) => {
        plans.push(await reads().all({ name: `plan ${plans.length}`, text: `explain ${statement.text}` }, values));
        return await reads().all(statement, values);
      },
    };
    await createDatabaseMirrors({ ...store, reads: explained }).load([{ mirrorId: 1, key: '00123' }]);
    expect(plans).toHaveLength(1);
    expect(JSON.stringify(plans)).toContain('Index Scan');
    expect(JSON.stringify(plans)).not.toContain('Seq Scan');
  });

  it('a read by whole keys on PostgreSQL is answered while commits use every other connection', async () => {
    const copies = createDatabaseMirrors(store);
    await copies.require(owner, '1', 1);
    const [copy] = await copies.of(owner);
    await copies.put(copy!.id, 1, [{ key: '00123', value: '00123', valid: true, response: 'yes' }]);
    const found = await store.db.transaction().execute(() =>
      copies.load([
        { mirrorId: copy!.id, key: '123' },
        { mirrorId: copy!.id, key: '00123' },
      ]),
    );
    expect(found).toEqual([
      [],
      [{ key: '00123', value: '00123', valid: true, response: 'yes', round: 1, sureFrom: 1, lostRound: null }],
    ]);
  });

  it('a read by whole keys on PostgreSQL works after lost connections, and reports errors by their codes', async () => {
    const pids = { name: 'pids', text: 'select pg_backend_pid() as pid' };
    const [before] = await reads().all<{ pid: number }>(pids, []);
    const other = await openTestStore(url);
    try {
      const kill = { name: 'kill', text: 'select pg_terminate_backend($1::int) as done' };
      await other.reads!.all(kill, [before!.pid]);
      await expect.poll(() => codeRejected(reads().all(pids, []))).toBe(undefined);
      const [after] = await reads().all<{ pid: number }>(pids, []);
      expect(after!.pid).not.toBe(before!.pid);
    } finally {
      await other.close();
    }
    expect(await codeRejected(reads().all({ name: 'wrong', text: 'select nothing' }, []))).toBe('store.failed');
  });

  it('a read by whole keys on PostgreSQL is refused once the store is closed', async () => {
    const closed = await openTestStore(url);
    await closed.reads!.all({ name: 'one', text: 'select 1' }, []);
    await closed.close();
    expect(await codeRejected(closed.reads!.all({ name: 'one', text: 'select 1' }, []))).toBe('store.unavailable');
  });
});

describe('looking up by whole keys on SQLite', () => {
  const databases = sqliteDatabases();
  it('a read by whole keys on SQLite needs no connection of its own', async () => {
    const store = await openTestStore(await databases.fresh());
    expect(store.reads).toBeUndefined();
    await store.close();
  });
});
