/** Adds the counts of scans that relays refused, and when a relay's creator was notified of them. */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const relayRefusals: MigrationFor = (kind) => ({
  async up(db): Promise<void> {
    const [exact, keyed] = kind === 'sqlite' ? ['text', 'without rowid'] : ['text collate "C"', ''];
    for (const statement of [
      `create table relay_refusals (
        relay_id ${exact} not null, code ${exact} not null, sender ${exact} not null, scans bigint not null,
        first_at bigint not null, last_at bigint not null,
        constraint relay_refusals_pk primary key (relay_id, code, sender)
      ) ${keyed}`,
      'alter table relays add column refused_notified_at bigint',
    ]) {
      await db.executeQuery(CompiledQuery.raw(statement));
    }
  },
});
