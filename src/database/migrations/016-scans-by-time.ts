/** The account's scans by time, as they are mirrored: today's are counted by the hour. */
import type { Kysely } from 'kysely';
import type { MigrationFor } from './migration.js';

export const scansByTime: MigrationFor = () => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createIndex('mirrored_scans_made')
      .on('mirrored_scans')
      .columns(['mirror_id', 'at', 'scan_id'])
      .execute();
  },
});
