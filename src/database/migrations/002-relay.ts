/**
 * The relay's tables: relays and their secrets' hashes, the scans they took, the posts that come of them, and one lane for
 * each channel, on which posts follow each other.
 */
import { type Kysely, sql } from 'kysely';
import { exactText } from './columns.js';
import type { MigrationFor } from './migration.js';

export const relay: MigrationFor = (kind) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const exact = exactText(kind);

    await db.schema
      .createTable('relays')
      .addColumn('id', exact, (column) => column.primaryKey())
      .addColumn('installation', exact, (column) => column.notNull())
      .addColumn('team', exact, (column) => column.notNull())
      .addColumn('service_ids', 'text', (column) => column.notNull())
      .addColumn('service_name', 'text', (column) => column.notNull())
      .addColumn('channel', exact, (column) => column.notNull())
      .addColumn('notable', 'text', (column) => column.notNull())
      .addColumn('settings', 'text', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('paused_at', 'bigint')
      .addColumn('paused_why', 'text')
      .addColumn('told_at', 'bigint')
      .addColumn('removed_at', 'bigint')
      .addColumn('scans', 'bigint', (column) => column.notNull())
      .addColumn('last_scan_at', 'bigint')
      .execute();
    await db.schema.createIndex('relays_owner').on('relays').columns(['installation', 'team', 'id']).execute();

    await db.schema
      .createTable('relay_secrets')
      .addColumn('id', exact, (column) => column.primaryKey())
      .addColumn('relay_id', exact, (column) => column.notNull())
      .addColumn('hash', exact, (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint')
      .addColumn('ended_at', 'bigint')
      .execute();
    await db.schema.createIndex('relay_secrets_relay').on('relay_secrets').column('relay_id').execute();

    await db.schema
      .createTable('scans')
      .addColumn('id', exact, (column) => column.primaryKey())
      .addColumn('relay_id', exact, (column) => column.notNull())
      .addColumn('installation', exact, (column) => column.notNull())
      .addColumn('team', exact, (column) => column.notNull())
      .addColumn('received_at', 'bigint', (column) => column.notNull())
      .addColumn('tid', exact, (column) => column.notNull())
      .addColumn('sid', exact)
      .addColumn('userid', exact)
      .addColumn('udid', exact)
      .addColumn('scanid', exact)
      .addColumn('given_status', 'text')
      .addColumn('given_text', 'text')
      .addColumn('scanned_at_utc', 'text')
      .addColumn('valid', kind === 'postgres' ? 'smallint' : 'integer', (column) => column.notNull())
      .addColumn('answer_text', 'text', (column) => column.notNull())
      .addColumn('answers', 'text', (column) => column.notNull())
      .addColumn('properties', 'text', (column) => column.notNull())
      .addColumn('raw', 'text', (column) => column.notNull())
      .addColumn('repeat_key', exact)
      .execute();
    await db.schema
      .createIndex('scans_repeat')
      .unique()
      .on('scans')
      .columns(['relay_id', 'repeat_key'])
      .where(sql.ref('repeat_key'), 'is not', null)
      .execute();
    // PostgreSQL refuses index entries past 2,704 bytes, and a barcode may have 64 KB: indexes hold the beginning.
    await sql`create index scans_record on scans (relay_id, substr(scanid, 1, 200)) where scanid is not null`.execute(
      db,
    );
    await sql`create index scans_value on scans (installation, team, substr(tid, 1, 200), id)`.execute(db);
    await sql`create index scans_device on scans (installation, team, substr(udid, 1, 200), id)`.execute(db);
    await db.schema.createIndex('scans_relay').on('scans').columns(['relay_id', 'id']).execute();

    await db.schema
      .createTable('outbox')
      .addColumn('seq', kind === 'postgres' ? 'bigserial' : 'integer', (column) =>
        kind === 'postgres' ? column.primaryKey() : column.primaryKey().autoIncrement(),
      )
      .addColumn('key', exact, (column) => column.notNull())
      .addColumn('installation', exact, (column) => column.notNull())
      .addColumn('team', exact, (column) => column.notNull())
      .addColumn('channel', exact, (column) => column.notNull())
      .addColumn('relay_id', exact, (column) => column.notNull())
      .addColumn('scan_id', exact, (column) => column.notNull())
      .addColumn('state', exact, (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('next_at', 'bigint', (column) => column.notNull())
      .addColumn('first_attempt_at', 'bigint')
      .addColumn('attempt_at', 'bigint')
      .addColumn('doubt_at', 'bigint')
      .addColumn('last_code', 'text')
      .addColumn('ts', 'text')
      .addColumn('finished_at', 'bigint')
      .execute();
    // What a lane asks for, over and over: its first post that is still open.
    await db.schema
      .createIndex('outbox_open')
      .on('outbox')
      .columns(['installation', 'team', 'channel', 'seq'])
      .where(sql.ref('finished_at'), 'is', null)
      .execute();
    await db.schema
      .createIndex('outbox_aside')
      .on('outbox')
      .column('relay_id')
      .where(sql.ref('state'), '=', sql.lit('aside'))
      .execute();

    await db.schema
      .createTable('lanes')
      .addColumn('installation', exact, (column) => column.notNull())
      .addColumn('team', exact, (column) => column.notNull())
      .addColumn('channel', exact, (column) => column.notNull())
      .addColumn('next_at', 'bigint')
      .addColumn('claimed_by', exact)
      .addColumn('last_sent_at', 'bigint')
      .addPrimaryKeyConstraint('lanes_pk', ['installation', 'team', 'channel'])
      .execute();
    await db.schema
      .createIndex('lanes_due')
      .on('lanes')
      .column('next_at')
      .where(sql.ref('next_at'), 'is not', null)
      .execute();

    await db.schema
      .createTable('workers')
      .addColumn('id', exact, (column) => column.primaryKey())
      .addColumn('alive_until', 'bigint', (column) => column.notNull())
      .execute();
  },
});
