/** When the last full pass over an account's scans began: what was deleted since may still be in the mirror. */
import type { Kysely } from 'kysely';
import type { MigrationFor } from './migration.js';

export const scansFullPass: MigrationFor = () => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('mirrors').addColumn('full_at', 'bigint').execute();
  },
});
