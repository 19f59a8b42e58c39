/** An index for walking an owner's received scans by the time they were made, newest first. */
import { type Kysely, sql } from 'kysely';
import type { MigrationFor } from './migration.js';

export const scanSearch: MigrationFor = () => ({
  async up(db: Kysely<unknown>): Promise<void> {
    // Devices send any text as the time; what cannot be one counts as none.
    const made = sql`case when length(scanned_at_utc) = 19 and substr(scanned_at_utc, 5, 1) = '-' then scanned_at_utc end`;
    await sql`create index scans_made on scans (installation, team, (${made}), id)`.execute(db);
  },
});
