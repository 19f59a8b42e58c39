/**
 * Adds the index of incidents by their subject, open or ended: a list looks for the thresholds of its run each time it
 * is folded, and for the incident of a thing that is overdue. `rule_id` comes first: no search by relay alone uses it.
 */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const incidentsByRule: MigrationFor = () => ({
  async up(db): Promise<void> {
    await db.executeQuery(CompiledQuery.raw('create index incidents_rule on incidents (rule_id, subject_id)'));
  },
});
