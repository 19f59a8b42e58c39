/**
 * Alerts that rest between watched hours and are posted again, and escalations whose channel takes no posts. A silence
 * that older versions called over at the end of its hours, and which goes on, is announced again.
 */
import { type Kysely, sql } from 'kysely';
import type { MigrationFor } from './migration.js';

export const alerts: MigrationFor = () => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const table = () => db.schema.alterTable('incidents');
    await table().addColumn('rests_until', 'bigint').execute();
    await table()
      .addColumn('reposts', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    for (const column of ['reposted_at', 'escalation_notified_at', 'escalation_claimed_until']) {
      await table().addColumn(column, 'bigint').execute();
    }
    await sql`update silences set told_for = null where exists (
      select 1 from incidents where incidents.relay_id = silences.relay_id and incidents.rule_id = silences.rule_id
        and incidents.subject = silences.subject and incidents.subject_id = silences.subject_id
        and incidents.end_reason = 'hours' and incidents.began_at = silences.told_for)`.execute(db);
  },
});
