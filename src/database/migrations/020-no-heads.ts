/** Drops the heads of queues: an index of open posts, in the order of each channel's queue, finds the next one. */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const noHeads: MigrationFor = () => ({
  async up(db): Promise<void> {
    for (const statement of [
      'drop table queue_heads',
      'drop index outbox_open',
      `create index outbox_waiting on outbox (installation, team, channel, lane, seq, source, source_id)
        where finished_at is null`,
    ]) {
      await db.executeQuery(CompiledQuery.raw(statement));
    }
  },
});
