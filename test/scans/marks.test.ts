/** Marks of barcodes whose scans changed: how many a transaction writes, and what a fold reads of them. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createScanCommit } from '../../src/relay/commit/index.js';
import { createRelayStore } from '../../src/relay/relays/relay-rows.js';
import { addMarks, deleteMarks, isMarked, lastMark, markRecorded, marksOf } from '../../src/scans/marks.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { owner, relayRecord } from '../helpers/relay.js';

const lists = ['hall', 'tools', 'keys'];
const keys = (count: number) => Array.from({ length: count }, (_, n) => `=t-${n}`);

onEachDatabase('marks of barcodes', ({ fresh, empty }) => {
  let store: Store;
  beforeAll(async () => {
    store = await openTestStore(await fresh());
    await createRelayStore(store.db).add(relayRecord({ id: 'r', owner }), { id: 's', hash: 'f'.repeat(64) });
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await store.db.deleteFrom('place_marks').execute();
    await store.db.deleteFrom('place_lists').execute();
    const list = { ...owner, kind: 'inside' as const, name: 'a list', settings: '{}', reset_at: 0, created_by: 'U1' };
    await store.db
      .insertInto('place_lists')
      .values(lists.map((id) => ({ ...list, id, run: id, created_at: 1 })))
      .execute();
  });

  const rowsOf = async () => await store.db.selectFrom('place_marks').selectAll().orderBy('id').execute();
  const read = async (list: string, barcodes: number) =>
    (await marksOf(store.db, list, { last: (await lastMark(store.db, list)) ?? 0, barcodes })).map((mark) => mark.keys);

  it('a commit of scans marks their barcodes for recounting, with one record for each list', async () => {
    await store.db.updateTable('place_lists').set({ team: 'T0OTHER' }).where('id', '=', 'keys').execute();
    const scans = ['A', 'B', 'a', 'B\u001e'].map((tid, n) => ({
      ...{ id: `id${n}`, relayId: 'r', secretId: 's', receivedAt: n, answers: [], properties: [], submit: [], tid },
    }));
    await createScanCommit(store).commit(scans, () => ({ valid: true, text: 'Valid', posts: [] }));
    expect((await rowsOf()).map((row) => row.list_id).sort()).toEqual(['hall', 'tools']);
    expect(await read('hall', 100)).toEqual([['=a', '=b']]);
  });

  it('a page of the account’s scans marks, in each list, only the barcodes of changed scans for recounting', async () => {
    const row = { connection: await connect(), modified_at: 2, record: '{}' };
    const scan = (id: string, key: string) => ({ ...row, scan_id: id, key });
    const columns = { at: 1, scanned_at: 1, service: '', user_id: '', round: 1 };
    await store.db
      .insertInto('account_scans')
      .values(['1', '2'].map((id) => ({ ...scan(id, `=old${id}`), ...columns })))
      .execute();
    await store.db
      .transaction()
      .execute((trx) =>
        markRecorded(trx, row.connection, [
          scan('1', '=old1'),
          { ...scan('2', '=new2'), record: '{"a":1}' },
          scan('3', '=new3'),
        ]),
      );
    expect(await rowsOf()).toHaveLength(lists.length);
    expect((await read('hall', 100)).flat().sort()).toEqual(['=new2', '=new3', '=old2']);
  });

  it('barcodes marked for recounting are read in limited numbers, and new marks outlive read marks', async () => {
    await addMarks(store.db, 'hall', keys(250));
    await addMarks(store.db, 'hall', ['=a', '=b']);
    await addMarks(store.db, 'tools', ['=a']);
    expect((await rowsOf()).map((row) => row.list_id)).toEqual(['hall', 'hall', 'hall', 'hall', 'tools']);
    expect(await read('hall', 250)).toEqual([keys(100), keys(200).slice(100), keys(250).slice(200)]);
    expect(await read('hall', 100)).toEqual([keys(100)]);
    expect(await read('hall', 10)).toEqual([keys(100)]);
    await deleteMarks(store.db, await marksOf(store.db, 'hall', { last: Number.MAX_SAFE_INTEGER, barcodes: 250 }));
    expect(await read('hall', 100)).toEqual([['=a', '=b']]);
  });

  it('a barcode is marked for recounting in a list only if its whole key is marked', async () => {
    await addMarks(store.db, 'hall', ['=first', '=a%', '=last']);
    const marked = async (list: string, key: string) =>
      (await sql`select 1 as marked where ${isMarked(sql`${list}`, sql`cast(${key} as text)`)}`.execute(store.db)).rows
        .length === 1;
    for (const key of ['=first', '=a%', '=last']) expect(await marked('hall', key), key).toBe(true);
    for (const key of ['=firs', 'first', '=FIRST', '=ab', '=a', '='])
      expect(await marked('hall', key), key).toBe(false);
    expect(await marked('tools', '=first')).toBe(false);
  });

  it('a barcode’s mark for recounting that the version before stored is read after the upgrade', async () => {
    const url = await empty();
    const before = await openTestStore(url);
    await sql`alter table place_marks rename column keys to key`.execute(before.db);
    await sql`delete from kysely_migration where name like '017%'`.execute(before.db);
    await sql`insert into place_marks (list_id, key) values ('hall', '=a'), ('tools', '=a'), ('hall', '=b c')`.execute(
      before.db,
    );
    await before.close();
    const after = await openTestStore(url);
    const last = await lastMark(after.db, 'hall');
    expect((await marksOf(after.db, 'hall', { last: last!, barcodes: 100 })).map((mark) => mark.keys)).toEqual([
      ['=a'],
      ['=b c'],
    ]);
    await after.close();
  });

  const connect = async (): Promise<number> => {
    const counts = { round: 1, scans: 1, read: 1, filled: 1, full_due_at: 1, scans_since: 0, next_call_at: 1 };
    const mirror = store.db.insertInto('mirrors').values({ ...owner, connected_at: 1, ...counts, budget_at: 1 });
    return (await mirror.returning('id').executeTakeFirstOrThrow()).id;
  };
});
