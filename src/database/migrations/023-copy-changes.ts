/**
 * What a copy of the account knows of its own age: since when listings leave a database out, the pass from which a text
 * is sure, and the changes through Scandesk that answers under way do not know yet.
 */
import { type Kysely, sql } from 'kysely';
import { exactText } from './columns.js';
import type { MigrationFor } from './migration.js';

export const copyChanges: MigrationFor = (kind) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const exact = exactText(kind);

    await db.schema.alterTable('mirrored_databases').dropColumn('wanted_at').execute();
    await db.schema.alterTable('mirrored_databases').addColumn('left_out_at', 'bigint').execute();
    for (const table of ['mirrored_databases', 'mirrors']) {
      for (const name of ['changes', 'settled']) {
        await db.schema
          .alterTable(table)
          .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
          .execute();
      }
    }
    await db.schema
      .alterTable('mirrored_values')
      .addColumn('sure_from', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    // The former version never asked most databases for values that hold control characters.
    await sql`update mirrored_databases set due_at = 0`.execute(db);

    await db.schema
      .createTable('mirrored_changes')
      .addColumn('part', exact, (column) => column.notNull())
      .addColumn('mirror_id', 'bigint', (column) => column.notNull())
      .addColumn('key', exact, (column) => column.notNull())
      .addColumn('change', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('mirrored_changes_pk', ['part', 'mirror_id', 'key'])
      .execute();
  },
});
