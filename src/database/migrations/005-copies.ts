/**
 * The moment at which a late scan counts, and the kept copies of the account's databases, one for each database of an owner, however many relays judge by it.
 */
import { type Kysely, sql } from 'kysely';
import { exactText } from './columns.js';
import type { MigrationFor } from './migration.js';

export const copies: MigrationFor = (kind) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const exact = exactText(kind);

    await db.schema.alterTable('scans').addColumn('made_at', 'bigint').execute();

    await db.schema
      .createTable('copies')
      .addColumn('id', kind === 'postgres' ? 'bigserial' : 'integer', (column) =>
        kind === 'postgres' ? column.primaryKey() : column.primaryKey().autoIncrement(),
      )
      .addColumn('installation', exact, (column) => column.notNull())
      .addColumn('team', exact, (column) => column.notNull())
      .addColumn('database_id', exact, (column) => column.notNull())
      .addColumn('name', 'text')
      .addColumn('case_sensitive', kind === 'postgres' ? 'smallint' : 'integer', (column) => column.notNull())
      .addColumn('connected_at', 'bigint')
      .addColumn('round', 'bigint', (column) => column.notNull())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('fetched_at', 'bigint')
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('last_code', 'text')
      .addColumn('wanted_at', 'bigint', (column) => column.notNull())
      .addColumn('claimed_by', exact)
      .addColumn('claimed_until', 'bigint')
      .execute();
    await db.schema
      .createIndex('copies_database')
      .unique()
      .on('copies')
      .columns(['installation', 'team', 'database_id'])
      .execute();

    await db.schema
      .createTable('copied_values')
      .addColumn('copy_id', 'bigint', (column) => column.notNull())
      .addColumn('key', exact, (column) => column.notNull())
      .addColumn('valid', kind === 'postgres' ? 'smallint' : 'integer', (column) => column.notNull())
      .addColumn('response', 'text', (column) => column.notNull())
      .addColumn('round', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('copied_values_pk', ['copy_id', 'key'])
      // Found by their whole key, and little else in them: in SQLite the key is the table.
      .modifyEnd(kind === 'sqlite' ? sql`without rowid` : sql``)
      .execute();
  },
});
