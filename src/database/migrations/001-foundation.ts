/** The two tables that everything needs: keys with their values, and who did what. */
import type { Kysely } from 'kysely';
import { exactText } from './columns.js';
import type { MigrationFor } from './migration.js';

export const foundation: MigrationFor = (kind) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('keyv')
      .addColumn('namespace', exactText(kind), (column) => column.notNull())
      .addColumn('key', exactText(kind), (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint')
      .addPrimaryKeyConstraint('keyv_pk', ['namespace', 'key'])
      .execute();
    // An installation's keys are found by their beginning, whatever their namespace.
    await db.schema.createIndex('keyv_key').on('keyv').column('key').execute();
    await db.schema.createIndex('keyv_expires_at').on('keyv').column('expires_at').execute();

    await db.schema
      .createTable('audit')
      .addColumn('id', exactText(kind), (column) => column.primaryKey())
      .addColumn('installation', exactText(kind), (column) => column.notNull())
      .addColumn('team', exactText(kind), (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('who', 'text', (column) => column.notNull())
      .addColumn('where', 'text', (column) => column.notNull())
      .addColumn('what', 'text', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('outcome', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('audit_owner').on('audit').columns(['installation', 'team', 'id']).execute();
    await db.schema.createIndex('audit_at').on('audit').column('at').execute();
  },
});
