/** When an app was uninstalled: what is kept for a new installation is deleted some days later. */
import type { Kysely } from 'kysely';
import { exactText } from './columns.js';
import type { MigrationFor } from './migration.js';

export const uninstalled: MigrationFor = (kind) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const exact = exactText(kind);
    await db.schema
      .createTable('uninstalled')
      .addColumn('installation', exact, (column) => column.notNull())
      .addColumn('team', exact, (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('uninstalled_pk', ['installation', 'team'])
      .execute();
  },
});
