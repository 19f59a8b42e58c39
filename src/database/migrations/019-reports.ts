/** Daily reports: what is counted, when and where it is posted, and the state of the next post. */
import type { Kysely } from 'kysely';
import { exactText } from './columns.js';
import type { MigrationFor } from './migration.js';

export const reports: MigrationFor = (kind) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const text = exactText(kind);
    await db.schema
      .createTable('reports')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('installation', text, (column) => column.notNull())
      .addColumn('team', text, (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('hour', 'integer', (column) => column.notNull())
      .addColumn('minute', 'integer', (column) => column.notNull())
      .addColumn('zone', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('paused_at', 'bigint')
      .addColumn('paused_why', 'text')
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('next_at', 'bigint', (column) => column.notNull())
      .addColumn('claimed_by', 'text')
      .addColumn('claimed_until', 'bigint')
      .addColumn('attempt_at', 'bigint')
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('last_code', 'text')
      .addColumn('missed', 'integer', (column) => column.notNull())
      .addColumn('posted_at', 'bigint')
      .addColumn('notice', 'integer', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('reports_owner').on('reports').columns(['installation', 'team', 'id']).execute();
    await db.schema.createIndex('reports_next').on('reports').column('next_at').execute();
  },
});
