/**
 * What is kept with a scan of those of its barcode before it, since commits of a relay come one after the other and their ids
 * need not; and up to when scans were thrown away, without which nobody knows what was not.
 */
import { type Kysely, sql } from 'kysely';
import type { MigrationFor } from './migration.js';

export const earlierScans: MigrationFor = () => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('scans').addColumn('earlier', 'text').execute();
    await db.schema
      .createTable('scans_pruned')
      .addColumn('before', 'bigint', (column) => column.notNull())
      .execute();
    await sql`insert into scans_pruned (before) values (0)`.execute(db);
  },
});
