/** A copy that was made while all values of one key shared a row: it stays for an outage, and answers nothing wrong. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { indexKey } from '../../src/database/index-key.js';
import { mirrorKey } from '../../src/mirror/key.js';
import { createMirrorReader } from '../../src/mirror/reader.js';
import { createAccountMirrors } from '../../src/mirror/tables/accounts.js';
import { createDatabaseMirrors } from '../../src/mirror/tables/databases.js';
import { createMirroredScans } from '../../src/mirror/tables/scans.js';
import { createValuePages } from '../../src/mirror/value-pages.js';
import type { Store } from '../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { owner } from '../helpers/relay.js';

const long = 'Long-'.repeat(60);
const old = [
  ['HELD', 1, 0],
  ['STRAßE-1', 1, 0],
  ['LOST1', 1, Number.MAX_SAFE_INTEGER],
  [long, 0, 0],
] as const;

onEachDatabase('a copy with a row for each key', ({ kind, fresh }) => {
  /** The tables of 1.0.0, with a copy whose first pass is complete. */
  const leaveOldCopy = async (url: string): Promise<void> => {
    const { db, workspaces, close } = await openTestStore(url);
    await workspaces.connect(owner, 'the-key-of-an-account', { connectedBy: 'U1', connectedAt: 5 });
    const exact = kind === 'sqlite' ? 'text' : 'text collate "C"';
    const flag = kind === 'sqlite' ? 'integer' : 'smallint';
    for (const statement of [
      `delete from kysely_migration where name = '005-exact-values'`,
      'alter table mirrored_databases drop column searched',
      'alter table mirrored_databases drop column attempt',
      'drop table mirrored_values',
      `create table mirrored_values (
        mirror_id bigint not null, key ${exact} not null, value text not null, valid ${flag} not null, response text not null,
        round bigint not null, sure_from bigint not null default 0,
        constraint mirrored_values_pk primary key (mirror_id, key)
      ) ${kind === 'sqlite' ? 'without rowid' : ''}`,
      `insert into mirrored_databases
        (installation, team, database_id, case_sensitive, connected_at, round, size, fetched_at, due_at, failures)
        values ('${owner.installation}', '${owner.team}', '7', 0, 5, 1, 4, 6, 7, 0)`,
    ]) {
      await sql.raw(statement).execute(db);
    }
    for (const [value, valid, sureFrom] of old) {
      const key = indexKey(mirrorKey(value, { caseSensitive: false }));
      await sql`insert into mirrored_values
        select id, ${key}, ${value}, ${valid}, 'Hi', 1, ${sureFrom} from mirrored_databases`.execute(db);
    }
    await close();
  };
  const readerOf = (store: Store) =>
    createMirrorReader({
      ...{ store, clock: systemClock, databases: createDatabaseMirrors(store) },
      ...{ mirrors: createAccountMirrors(store), scans: createMirroredScans(store) },
    });

  it('an older version’s copy is unsure of values with shared keys, and complete after a pass', async () => {
    const url = await fresh();
    await leaveOldCopy(url);
    const store = await openTestStore(url);
    const reader = readerOf(store);
    const pages = createValuePages({ store, reader, databases: createDatabaseMirrors(store) });
    const answers = async (...values: readonly string[]) => {
      const { databases } = await reader.view(owner);
      return (await Promise.all(values.map((value) => reader.values(databases, value)))).map(([answer]) => answer);
    };
    expect(await answers('HELD', 'held', 'STRAßE-1', long.toUpperCase())).toMatchObject([
      { kind: 'found', valid: true },
      { kind: 'found', valid: true },
      { kind: 'found', valid: true },
      { kind: 'found', valid: false, value: long },
    ]);
    // The row of such a value may have been overwritten, or deleted with another value's.
    expect(await answers('STRASSE-1', 'NONE', 'LOST1')).toEqual([
      { kind: 'unsure', last: expect.objectContaining({ value: 'STRAßE-1' }) },
      { kind: 'unsure' },
      { kind: 'unsure' },
    ]);
    expect(await pages.valuePage(owner, '7')).toBeUndefined();

    const tables = createDatabaseMirrors(store);
    const [mirror] = await tables.of(owner);
    const begun = await tables.begin(mirror!, { caseSensitive: false, connectedAt: 5 });
    const values = ['HELD', 'STRASSE-1', 'STRAßE-1', 'LOST1', long].map((value) => ({
      ...{ key: mirrorKey(value, begun), value, valid: true, response: 'Hi' },
    }));
    await tables.put(begun.id, begun.round + 1, values, { since: begun.changes, attempt: begun.attempt });
    await tables.finish(begun, { size: 5, fetchedAt: 8, dueAt: 9, searched: true });
    expect(await answers('STRASSE-1', 'STRAßE-1', 'NONE', 'LOST1')).toMatchObject([
      { kind: 'found', value: 'STRASSE-1' },
      { kind: 'found', value: 'STRAßE-1' },
      { kind: 'absent' },
      { kind: 'found' },
    ]);
    const copied = (await pages.valuePage(owner, '7'))?.values.map(({ value, exact }) => [value, exact]);
    expect(copied?.sort()).toEqual(values.map(({ value }) => [value, true]).sort());
    await store.close();
  });
});
