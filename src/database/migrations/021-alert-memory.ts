/**
 * Makes incidents the only memory of alerts: a silence no longer keeps for which scan its alert was posted. Open alerts
 * are checked at once, since those that only a digest shows get a message of their own.
 */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const alertMemory: MigrationFor = () => ({
  async up(db): Promise<void> {
    for (const statement of [
      'alter table silences drop column told_for',
      'alter table incidents add column shows text',
      "update incidents set due_at = 0 where ended_at is null and kind in ('burst', 'silence')",
    ]) {
      await db.executeQuery(CompiledQuery.raw(statement));
    }
  },
});
