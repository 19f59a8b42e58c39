/**
 * When the person who made a relay was last told of posts that were set aside, and until when somebody has claimed to tell them.
 * What was set aside since is found by its time, however much there is from before.
 */
import { type Kysely, sql } from 'kysely';
import type { MigrationFor } from './migration.js';

export const undeliveredNotices: MigrationFor = () => ({
  async up(db: Kysely<unknown>): Promise<void> {
    for (const column of ['undelivered_told_at', 'undelivered_claimed_until']) {
      await db.schema.alterTable('relays').addColumn(column, 'bigint').execute();
    }
    await db.schema.dropIndex('outbox_aside').execute();
    await db.schema
      .createIndex('outbox_aside')
      .on('outbox')
      .columns(['relay_id', 'finished_at'])
      .where(sql.ref('state'), '=', sql.lit('aside'))
      .execute();
  },
});
