/** Makes the messages of exports posts: the message with an export's progress becomes its post. */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const exportPosts: MigrationFor = () => ({
  async up(db): Promise<void> {
    for (const statement of [
      // The post's key is the export's id, by which Slack recognizes a message that it has already.
      `insert into outbox (key, installation, team, channel, source, source_id, state, attempts, next_at, ts, finished_at,
          kind, lane)
        select id, installation, team, message_channel, 'export', id, 'delivered', 1, created_at, message_ts,
          created_at, 'export', 0 from exports where message_ts is not null`,
      `insert into message_updates (post_seq, revision, due_at) select seq, 1, 0 from outbox where source = 'export'`,
      'alter table exports drop column message_ts',
    ]) {
      await db.executeQuery(CompiledQuery.raw(statement));
    }
  },
});
