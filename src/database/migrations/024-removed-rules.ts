/** Removed rules whose counters are still to be deleted. */
import type { Kysely } from 'kysely';
import { exactText } from './columns.js';
import type { MigrationFor } from './migration.js';

export const removedRules: MigrationFor = (kind) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const exact = exactText(kind);
    await db.schema
      .createTable('removed_rules')
      .addColumn('relay_id', exact, (column) => column.notNull())
      .addColumn('rule_id', exact, (column) => column.notNull())
      .addColumn('generation', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('removed_rules_key', ['relay_id', 'rule_id', 'generation'])
      .execute();
  },
});
