/**
 * The mirror of an account: its scans, and the share of its calls that is spent on it. The copies of databases become
 * part of it as they are. Their rounds count complete passes from here on; one less, since the last may be half done.
 */
import { type Kysely, sql } from 'kysely';
import { exactText } from './columns.js';
import type { MigrationFor } from './migration.js';

export const mirror: MigrationFor = (kind) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const exact = exactText(kind);
    const integer = kind === 'postgres' ? sql`smallint` : sql`integer`;

    await db.schema.alterTable('copies').renameTo('mirrored_databases').execute();
    await db.schema.alterTable('mirrored_databases').dropColumn('claimed_by').execute();
    await db.schema.alterTable('mirrored_databases').dropColumn('claimed_until').execute();
    await db.schema.alterTable('mirrored_databases').addColumn('expected', 'bigint').execute();
    await db.schema
      .alterTable('mirrored_databases')
      .addColumn('read', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`update mirrored_databases set round = round - 1 where round > 0`.execute(db);

    await db.schema.alterTable('copied_values').renameTo('mirrored_values').execute();
    await db.schema.alterTable('mirrored_values').renameColumn('copy_id', 'mirror_id').execute();
    // Unknown for what was copied before: only its folded key was stored.
    await db.schema.alterTable('mirrored_values').addColumn('value', 'text').execute();

    await db.schema
      .createTable('mirrors')
      .addColumn('id', kind === 'postgres' ? 'bigserial' : 'integer', (column) =>
        kind === 'postgres' ? column.primaryKey() : column.primaryKey().autoIncrement(),
      )
      .addColumn('installation', exact, (column) => column.notNull())
      .addColumn('team', exact, (column) => column.notNull())
      .addColumn('connected_at', 'bigint', (column) => column.notNull())
      .addColumn('round', 'bigint', (column) => column.notNull())
      .addColumn('scans', 'bigint', (column) => column.notNull())
      .addColumn('read', 'bigint', (column) => column.notNull())
      .addColumn('filled', integer, (column) => column.notNull())
      .addColumn('scans_since', 'bigint')
      .addColumn('scans_at', 'bigint')
      .addColumn('cursor_at', 'bigint')
      .addColumn('full_due_at', 'bigint', (column) => column.notNull())
      .addColumn('last_code', 'text')
      .addColumn('next_call_at', 'bigint', (column) => column.notNull())
      .addColumn('budget', 'bigint')
      .addColumn('budget_at', 'bigint', (column) => column.notNull())
      .addColumn('claimed_by', exact)
      .addColumn('claimed_until', 'bigint')
      .execute();
    await db.schema.createIndex('mirrors_owner').unique().on('mirrors').columns(['installation', 'team']).execute();

    await db.schema
      .createTable('mirrored_scans')
      .addColumn('mirror_id', 'bigint', (column) => column.notNull())
      .addColumn('scan_id', exact, (column) => column.notNull())
      .addColumn('key', exact, (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('modified_at', 'bigint', (column) => column.notNull())
      .addColumn('record', 'text', (column) => column.notNull())
      .addColumn('round', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('mirrored_scans_pk', ['mirror_id', 'scan_id'])
      .execute();
    await db.schema
      .createIndex('mirrored_scans_value')
      .on('mirrored_scans')
      .columns(['mirror_id', 'key', 'at'])
      .execute();
  },
});
