/** Adds the sources whose posts wait; the outbox asked relays before whether they are paused. */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const heldSources: MigrationFor = (kind) => ({
  async up(db): Promise<void> {
    const [exact, flag, keyed] =
      kind === 'sqlite' ? ['text', 'integer', 'without rowid'] : ['text collate "C"', 'smallint', ''];
    for (const statement of [
      `create table held_sources (
        source ${exact} not null, source_id ${exact} not null, updates ${flag} not null,
        constraint held_sources_pk primary key (source, source_id)
      ) ${keyed}`,
      `insert into held_sources (source, source_id, updates)
        select 'relay', id, case when paused_why = 'person' then 0 else 1 end from relays
        where paused_at is not null and removed_at is null`,
    ]) {
      await db.executeQuery(CompiledQuery.raw(statement));
    }
  },
});
