/** Adds the time at which an export's file is deleted from Slack. */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const deletedFiles: MigrationFor = () => ({
  async up(db): Promise<void> {
    await db.executeQuery(CompiledQuery.raw('alter table exports add column delete_at bigint'));
  },
});
