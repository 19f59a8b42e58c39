/**
 * Open posts by relay and then by channel: what a channel is to post next is found by one look for each relay that posts, however
 * many posts of a paused one wait in front of it.
 */
import { type Kysely, sql } from 'kysely';
import type { MigrationFor } from './migration.js';

export const laneHeads: MigrationFor = () => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.dropIndex('outbox_open').execute();
    await db.schema
      .createIndex('outbox_open')
      .on('outbox')
      .columns(['installation', 'team', 'relay_id', 'channel', 'seq'])
      .where(sql.ref('finished_at'), 'is', null)
      .execute();
  },
});
