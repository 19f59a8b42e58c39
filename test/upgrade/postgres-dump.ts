/** A PostgreSQL database as its rows and the migrations that it had, which make its tables again. */
import { Kysely, Migrator } from 'kysely';
import pg from 'pg';
import { postgresDialect } from '../../src/database/dialects/postgres.js';
import { migrations } from '../../src/database/migrations/index.js';
import { silentLog } from '../../src/log.js';

export interface PostgresDump {
  readonly migrations: readonly string[];
  /** The rows of each table. */
  readonly rows: Readonly<Record<string, readonly object[]>>;
}

export async function dumpPostgres(url: string): Promise<PostgresDump> {
  return await connected(url, async (client) => {
    const column = async (query: string) => (await client.query<{ it: never }>(query)).rows.map(({ it }) => it);
    const tables: string[] = await column(`select tablename as it from pg_tables where schemaname = 'public'
      and tablename not like 'kysely%' order by tablename`);
    const rows: Record<string, object[]> = {};
    for (const table of tables) {
      rows[table] = await column(`select row_to_json(t) as it from ${table} as t`);
    }
    return { migrations: await column('select name as it from kysely_migration order by name'), rows };
  });
}

export async function restorePostgres(url: string, dump: PostgresDump): Promise<void> {
  const db = new Kysely<unknown>({ dialect: postgresDialect({ url, log: silentLog, poolSize: 1 }) });
  const getMigrations = async () =>
    Object.fromEntries(dump.migrations.map((name) => [name, migrations[name]!('postgres')]));
  const { error } = await new Migrator({ db, provider: { getMigrations } }).migrateToLatest();
  await db.destroy();
  if (error !== undefined) {
    throw error;
  }
  await connected(url, async (client) => {
    // Rows refer to each other across tables.
    await client.query('set session_replication_role = replica');
    for (const [table, rows] of Object.entries(dump.rows)) {
      await client.query(`delete from ${table}`);
      await client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
        JSON.stringify(rows),
      ]);
    }
    const { rows: serials } = await client.query<{ name: string; of: string }>(`
      select table_name as of, column_name as name from information_schema.columns
      where table_schema = 'public' and column_default like 'nextval%'`);
    for (const { name, of } of serials) {
      await client.query(`select setval(pg_get_serial_sequence('${of}', '${name}'), coalesce(max(${name}), 0) + 1, false)
        from ${of}`);
    }
  });
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
