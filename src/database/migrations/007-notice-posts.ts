/** Makes notices posts: the columns of their claims go, and a paused report waits for nobody. */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const noticePosts: MigrationFor = () => ({
  async up(db): Promise<void> {
    for (const statement of [
      'alter table relays drop column notify_claimed_until',
      'alter table relays drop column undelivered_claimed_until',
      'alter table channel_queues drop column notify_claimed_until',
      'alter table incidents drop column escalation_claimed_until',
      `update reports set next_at = ${Number.MAX_SAFE_INTEGER} where paused_at is not null`,
    ]) {
      await db.executeQuery(CompiledQuery.raw(statement));
    }
  },
});
