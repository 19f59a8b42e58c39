/**
 * The same indexes on both databases: a scan stored twice is refused, a device's scans are found by an index. SQLite's
 * scans get their repeat keys in the background (`scans/repeat-keys.ts`): a row here says from where on they lack them.
 */
import { type Kysely, sql } from 'kysely';
import { exactText } from './columns.js';
import type { MigrationFor } from './migration.js';

export const oneCommit: MigrationFor = (kind) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('repeat_key_backfill')
      .addColumn('after', exactText(kind), (column) => column.notNull())
      .execute();
    if (kind !== 'sqlite') {
      return;
    }
    await sql`insert into repeat_key_backfill (after) select '' where exists (select 1 from scans)`.execute(db);
    await db.schema
      .createIndex('scans_repeat')
      .unique()
      .on('scans')
      .columns(['relay_id', 'repeat_key'])
      .where(sql.ref('repeat_key'), 'is not', null)
      .execute();
    await db.schema.dropIndex('scans_value').execute();
    await sql`create index scans_value on scans (installation, team, substr(tid, 1, 200), id)`.execute(db);
    await sql`create index scans_device on scans (installation, team, substr(udid, 1, 200), id)`.execute(db);
    await db.schema.dropTable('device_scans').execute();
    await db.schema.dropTable('device_scans_filed').execute();
  },
});
