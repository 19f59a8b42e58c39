/** Reports that post through the outbox: when a post is missed, and the posts that a report's own machine left in doubt. */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const reportPosts: MigrationFor = () => ({
  async up(db): Promise<void> {
    const inDoubt = 'from reports where attempt_at is not null and paused_at is null';
    for (const statement of [
      'alter table outbox add column expires_at bigint',
      `insert into channel_queues (installation, team, channel, next_at)
        select distinct installation, team, channel, 0 ${inDoubt}
        on conflict (installation, team, channel) do update set next_at = 0`,
      // The search for the message uses the key; if the post has to be sent, its figures are counted again.
      `insert into outbox (key, installation, team, channel, source, source_id, state, attempts, next_at,
          first_attempt_at, attempt_at, unconfirmed_at, last_code, kind, lane, expires_at)
        select 'report.' || id || '.' || due_at, installation, team, channel, 'report', id, 'unconfirmed', 1, attempt_at,
          attempt_at, attempt_at, attempt_at, last_code, 'report', 1, due_at + 10800000 ${inDoubt}`,
      `insert into queue_heads (installation, team, channel, source, source_id, lane, seq)
        select installation, team, channel, source, source_id, lane, seq from outbox where source = 'report'`,
    ]) {
      await db.executeQuery(CompiledQuery.raw(statement));
    }
  },
});
