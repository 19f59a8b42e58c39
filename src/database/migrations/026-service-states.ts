/** Adds what services of the account were: a row for each change that was seen of a service. */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const serviceStates: MigrationFor = (kind) => ({
  async up(db): Promise<void> {
    const exact = kind === 'sqlite' ? 'text' : 'text collate "C"';
    await db.executeQuery(
      CompiledQuery.raw(`create table service_states (
        installation ${exact} not null, team ${exact} not null, service_id ${exact} not null, since bigint not null,
        method text not null, database_id text, once integer not null,
        constraint service_states_pk primary key (installation, team, service_id, since)
      )${kind === 'sqlite' ? ' without rowid' : ''}`),
    );
  },
});
