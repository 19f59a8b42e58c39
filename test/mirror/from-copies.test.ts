import { CompiledQuery, Kysely, Migrator } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { postgresDialect } from '../../src/database/dialects/postgres.js';
import { sqliteDialect } from '../../src/database/dialects/sqlite.js';
import { chooseSqliteDriver } from '../../src/database/dialects/sqlite-driver.js';
import { SqliteEngine } from '../../src/database/dialects/sqlite-engine.js';
import { migrations } from '../../src/database/migrations/index.js';
import { silentLog } from '../../src/log.js';
import { relaySettingsSchema } from '../../src/relay/index.js';
import type { DatabaseValidation } from '../../src/relay/validation/index.js';
import { onEachDatabase, openTestStore, sqliteDatabases } from '../helpers/databases.js';
import { mirrorOf } from '../helpers/mirror.js';
import { owner } from '../helpers/relay.js';
import { type DeskHarness, startDesk } from '../lookup/harness.js';
import { clockSince, leftBehind, restoreDatabase } from '../upgrade/old-version.js';

const judging = relaySettingsSchema.parse({ judging: { kind: 'database', databaseIds: ['1021'] } })
  .judging as DatabaseValidation;

onEachDatabase('copies of the version before', (databases) => {
  const open: DeskHarness[] = [];
  afterAll(async () => {
    for (const account of open) {
      await account.close();
    }
  });

  it('go on as the mirror, so that a relay need not ask anew', async () => {
    const account = await startDesk();
    open.push(account);
    const url = await databases.empty();
    const { kind } = databases;
    const dialect =
      kind === 'sqlite'
        ? sqliteDialect(new SqliteEngine(url.slice('file:'.length), chooseSqliteDriver()))
        : postgresDialect({ url, log: silentLog, poolSize: 1 });
    const db = new Kysely<unknown>({ dialect });
    const provider = {
      getMigrations: async () =>
        Object.fromEntries(Object.entries(migrations).map(([name, migrationFor]) => [name, migrationFor(kind)])),
    };
    const { error } = await new Migrator({ db, provider }).migrateTo('013-one-commit');
    expect(error).toBeUndefined();
    const run = (text: string) => db.executeQuery(CompiledQuery.raw(text));
    await run(`insert into copies (installation, team, database_id, name, case_sensitive, connected_at, round, size,
      fetched_at, due_at, failures, wanted_at)
      values ('${owner.installation}', '${owner.team}', '1021', 'Tickets', 0, 5, 3, 1, 1000, 9000000000000, 0, 1000)`);
    await run(`insert into copied_values (copy_id, key, valid, response, round)
      values (1, '=hlf-old', 1, 'From the copy', 3)`);
    await db.destroy();

    const store = await openTestStore(url);
    await store.workspaces.connect(owner, account.apiKey, { connectedBy: 'U1', connectedAt: 5 });
    const { databaseLookup, mirror } = mirrorOf(store, account.accounts);
    expect((await databaseLookup.ask(owner, judging, 'HLF-OLD')).known).toEqual({
      ...{ kind: 'known', valid: true, response: 'From the copy', database: 'Tickets' },
    });
    expect(account.calls).toEqual([]);
    expect(await mirror.states(owner)).toMatchObject([{ databaseId: '1021', fetchedAt: 1000, size: 1 }]);
    await store.close();
  });
});

// On PostgreSQL, that version had copied nothing when it was recorded.
describe('copies that the version before left on SQLite', () => {
  const databases = sqliteDatabases();

  it('answer as they were recorded, with not one call', async () => {
    const account = await startDesk();
    const url = await databases.empty();
    await restoreDatabase(databases.kind, url);
    const store = await openTestStore(url, { clock: clockSince(leftBehind(databases.kind).at) });
    const { databaseLookup, mirror } = mirrorOf(store, account.accounts);
    const [{ owner: of } = { owner }] = await store.workspaces.connections();
    const [tickets] = await mirror.states(of);
    expect(tickets).toMatchObject({ databaseId: '1021', size: 1_200, fetchedAt: expect.any(Number) });
    expect((await databaseLookup.ask(of, judging, '000470000037')).known).toMatchObject({
      ...{ kind: 'known', valid: true, response: 'VIP lounge and main stage' },
    });
    expect(account.calls).toEqual([]);
    await store.close();
    await account.close();
  });
});
