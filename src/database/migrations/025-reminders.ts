/** Adds reminders before a thing is due and while it is overdue, and the watches of people who wait for a thing. */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const reminders: MigrationFor = (kind) => ({
  async up(db): Promise<void> {
    const exact = kind === 'sqlite' ? 'text' : 'text collate "C"';
    for (const statement of [
      'alter table incidents add column remind_at bigint',
      'alter table place_lists add column before_ms bigint',
      'create index places_run_due on places (run, due_at) where due_at is not null',
      ...['list_id', 'place_key', 'barcode'].map((name) => `alter table watches add column ${name} ${exact}`),
      'alter table watches add column out_at bigint',
      'create index watches_list on watches (list_id) where list_id is not null',
    ]) {
      await db.executeQuery(CompiledQuery.raw(statement));
    }
  },
});
