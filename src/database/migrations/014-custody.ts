/** Adds lists of lent things: who has each thing, when it is due, and people's answers about it since it went out. */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const custody: MigrationFor = (kind) => ({
  async up(db): Promise<void> {
    const exact = kind === 'sqlite' ? 'text' : 'text collate "C"';
    for (const statement of [
      'alter table place_moves add column holder text',
      'alter table place_moves add column due_at bigint',
      'alter table place_moves add column due_text text',
      'alter table places add column due_text text',
      'create index places_due on places (due_at) where due_at is not null',
      `create table loans (
        list_id ${exact} not null, key ${exact} not null, barcode ${exact} not null, out_at bigint not null,
        due_at bigint, extended_by ${exact}, denied_by ${exact}, denied_at bigint, back_by ${exact}, back_at bigint,
        constraint loans_pk primary key (list_id, key, barcode, out_at)
      )`,
    ]) {
      await db.executeQuery(CompiledQuery.raw(statement));
    }
  },
});
