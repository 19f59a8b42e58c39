/** Exports that people have asked for, and what is written of their files. */
import { type Kysely, sql } from 'kysely';
import { exactText } from './columns.js';
import type { MigrationFor } from './migration.js';

export const exports: MigrationFor = (kind) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const exact = exactText(kind);
    await db.schema
      .createTable('exports')
      .addColumn('id', exact, (column) => column.primaryKey())
      .addColumn('installation', exact, (column) => column.notNull())
      .addColumn('team', exact, (column) => column.notNull())
      .addColumn('who', exact, (column) => column.notNull())
      .addColumn('channel', exact, (column) => column.notNull())
      .addColumn('what', 'text', (column) => column.notNull())
      .addColumn('mode', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('connected_at', 'bigint')
      .addColumn('expected', 'bigint')
      .addColumn('position', 'text', (column) => column.notNull())
      .addColumn('chunks', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('rows', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('bytes', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('worked_at', 'bigint', (column) => column.notNull())
      .addColumn('failures', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('claimed_by', exact)
      .addColumn('claimed_until', 'bigint')
      .addColumn('message_channel', exact)
      .addColumn('message_ts', exact)
      .addColumn('shown_at', 'bigint')
      .addColumn('file_id', exact)
      .addColumn('shared_at', 'bigint')
      .addColumn('outcome', 'text')
      .execute();
    await db.schema.createIndex('exports_owner').on('exports').columns(['installation', 'team', 'id']).execute();
    await db.schema
      .createTable('export_chunks')
      .addColumn('export_id', exact, (column) => column.notNull())
      .addColumn('seq', 'bigint', (column) => column.notNull())
      .addColumn('content', kind === 'postgres' ? sql`bytea` : sql`blob`, (column) => column.notNull())
      .addPrimaryKeyConstraint('export_chunks_pk', ['export_id', 'seq'])
      .execute();
  },
});
