/**
 * SQLite only: what a scan's commit writes. Every index with an order of its own costs a page a scan, and a page is dearer
 * than the row. A repeat is found by its barcode and its time, so that one index does for both; devices are filed later, many
 * scans at once (`device-scans.ts`).
 */
import { type Kysely, sql } from 'kysely';
import type { MigrationFor } from './migration.js';

export const fewerPages: MigrationFor = (kind) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    if (kind !== 'sqlite') {
      return;
    }
    for (const index of ['scans_repeat', 'scans_device', 'scans_value']) {
      await db.schema.dropIndex(index).execute();
    }
    await sql`create index scans_value on scans (installation, team, substr(tid, 1, 200), scanned_at_utc, id)`.execute(
      db,
    );
    await db.schema
      .createTable('device_scans')
      .addColumn('installation', 'text', (column) => column.notNull())
      .addColumn('team', 'text', (column) => column.notNull())
      .addColumn('udid', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('device_scans_pk', ['installation', 'team', 'udid', 'id'])
      .modifyEnd(sql`without rowid`)
      .execute();
    await db.schema
      .createTable('device_scans_filed')
      .addColumn('upto', 'integer', (column) => column.notNull())
      .execute();
    await sql`insert into device_scans_filed (upto) values (0)`.execute(db);
  },
});
