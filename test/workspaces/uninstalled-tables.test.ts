/** What the tables keep of a workspace a week after it uninstalled the app: nothing, in any table that names it. */
import type { InsertObject } from 'kysely';
import { expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../src/clock.js';
import { createIds } from '../../src/database/ids.js';
import { eraseAllJobs } from '../../src/database/jobs/job-rows.js';
import type { Schema } from '../../src/database/schema.js';
import { eraseExports } from '../../src/exports/index.js';
import type { Owner } from '../../src/ownership.js';
import { erasePlaceLists } from '../../src/places/index.js';
import { createRelayPurge } from '../../src/relay/index.js';
import { createRelayStore } from '../../src/relay/relays/relay-rows.js';
import { eraseServiceStates } from '../../src/scans/index.js';
import { ensureOwner } from '../../src/scans/owners.js';
import type { Store } from '../../src/workspaces/types.js';
import { createUninstalledPurge } from '../../src/workspaces/uninstalled.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { relayRecord } from '../helpers/relay.js';

const day = 24 * 60 * 60_000;
const start = Date.UTC(2026, 0, 1);
const never = new AbortController().signal;
const gone: Owner = { installation: 'T1', team: 'T1' };
const other: Owner = { installation: 'T2', team: 'T2' };
/** How often Slack may be called: deleted by its age within two days. */
const expiring = ['call_budgets'];
/** Their rows are made by what the test does. */
const made = ['owners', 'relays', 'uninstalled'];

type Naming = Readonly<Record<string, unknown>>;

/** The columns that say whose a row is, in whatever table they are. */
async function namingOf({ db }: Store, owner: Owner): Promise<Naming> {
  const relay = `relay of ${owner.team}`;
  const secret = { id: `${owner.team}-secret`, hash: owner.team.padEnd(64, '0') };
  await createRelayStore(db).add(relayRecord({ id: relay, owner }), secret);
  return { ...owner, relay_id: relay, source_id: relay, owner: await ensureOwner(db, owner) };
}

async function namingTables({ db }: Store, naming: Naming) {
  const tables = (await db.introspection.getTables()).map(({ name, columns }) => ({
    name: name as keyof Schema,
    columns: columns.filter((column) => !column.isAutoIncrementing),
  }));
  return tables.filter(
    ({ name, columns }) => !expiring.includes(name) && columns.some((column) => column.name in naming),
  );
}

type Table = Awaited<ReturnType<typeof namingTables>>[number];

/** The tables that have a row with one of these columns. */
async function tablesNaming({ db }: Store, tables: readonly Table[], naming: Naming): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of tables) {
    const rows: readonly Naming[] = await db.selectFrom(name).selectAll().execute();
    const isNamed = (row: Naming) =>
      Object.entries(naming).some(([column, value]) => column in row && String(row[column]) === String(value));
    found.push(...(rows.some(isNamed) ? [name] : []));
  }
  return found;
}

onEachDatabase('the tables of an uninstalled app', ({ fresh }) => {
  it('a week after a workspace uninstalled the app no table names it, and each still names another', async () => {
    let now = start;
    const clock = { ...systemClock, now: () => now };
    const makeId = createIds(clock, systemRandom);
    const store = await openTestStore(await fresh(), { clock });
    for (const hook of [eraseExports, eraseAllJobs, erasePlaceLists, eraseServiceStates]) {
      store.onErase(hook);
    }
    const namings = [await namingOf(store, gone), await namingOf(store, other)] as const;
    const tables = await namingTables(store, namings[0]);
    for (const { name, columns } of tables.filter(({ name }) => !made.includes(name))) {
      for (const naming of namings) {
        const known: Naming = { id: makeId(), source: 'relay', ...naming };
        const row = columns.map(({ name: column, dataType, isNullable }) => {
          const ofType = /int/i.test(dataType) ? 1 : `${naming.team} ${column}`;
          return [column, known[column] ?? (isNullable ? null : ofType)];
        });
        await store.db
          .insertInto(name)
          .values(Object.fromEntries(row) as InsertObject<Schema, keyof Schema>)
          .execute();
      }
    }
    const names = tables.map(({ name }) => name).filter((name) => name !== 'uninstalled');
    expect(await tablesNaming(store, tables, namings[0])).toEqual(names);

    await store.eraseInstallation(gone.installation);
    now += 8 * day;
    const purge = createUninstalledPurge({
      store,
      steps: [createRelayPurge(store, clock), store.audit.erase],
      isInstalled: async () => false,
    });
    expect(await purge(now - 7 * day, never)).toBe(1);
    expect(await tablesNaming(store, tables, namings[0])).toEqual([]);
    expect(await tablesNaming(store, tables, namings[1])).toEqual(names);
    await store.close();
  });
});
