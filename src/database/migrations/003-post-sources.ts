/** The source of a post, where a post belonged to a relay: heads and indexes go by it. The posts of old databases are relays'. */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const postSources: MigrationFor = (kind) => ({
  async up(db): Promise<void> {
    const [exact, keyed] = kind === 'sqlite' ? ['text', 'without rowid'] : ['text collate "C"', ''];
    for (const statement of [
      // SQLite adds no column without a default to a table that may hold rows.
      `alter table outbox add column source ${exact} not null default 'relay'`,
      `alter table outbox add column source_id ${exact} not null default ''`,
      'update outbox set source_id = relay_id',
      'drop index outbox_open',
      'drop index outbox_attempted',
      'drop index outbox_dead',
      'alter table outbox drop column relay_id',
      `create index outbox_open on outbox (installation, team, source, source_id, channel, lane, seq)
        where finished_at is null`,
      `create index outbox_attempted on outbox (source, source_id)
        where finished_at is null and first_attempt_at is not null`,
      `create index outbox_dead on outbox (installation, team, source, source_id, finished_at) where state = 'dead'`,
      `create table source_heads (
        installation ${exact} not null, team ${exact} not null, channel ${exact} not null, source ${exact} not null,
        source_id ${exact} not null, lane integer not null, seq bigint not null,
        constraint source_heads_pk primary key (source, source_id, installation, team, channel, lane),
        constraint source_heads_queue foreign key (installation, team, channel)
          references channel_queues (installation, team, channel)
      ) ${keyed}`,
      `insert into source_heads (installation, team, channel, source, source_id, lane, seq)
        select installation, team, channel, 'relay', relay_id, lane, seq from queue_heads`,
      'drop table queue_heads',
      'alter table source_heads rename to queue_heads',
      'create index queue_heads_first on queue_heads (installation, team, channel, lane, seq, source, source_id)',
    ]) {
      await db.executeQuery(CompiledQuery.raw(statement));
    }
  },
});
