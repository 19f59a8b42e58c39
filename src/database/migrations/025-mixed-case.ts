/** Barcodes that mix upper and lower case, of scans received and mirrored: found by any spelling. Few scans have such. */
import { type Kysely, sql } from 'kysely';
import type { MigrationFor } from './migration.js';

export const mixedCase: MigrationFor = () => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const tid = sql`substr(tid, 1, 200)`;
    await sql`create index scans_mixed_case on scans (installation, team, lower(${tid}), ${tid})
      where lower(${tid}) <> ${tid} and upper(${tid}) <> ${tid}`.execute(db);
    await sql`create index mirrored_scans_mixed_case on mirrored_scans (mirror_id, lower(key), key)
      where substr(key, 1, 1) = '=' and lower(key) <> key and upper(key) <> key`.execute(db);
  },
});
