/** Adds the pace of message updates in each workspace, which all instances share. */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const editBudgets: MigrationFor = (kind) => ({
  async up(db): Promise<void> {
    const exact = kind === 'sqlite' ? 'text' : 'text collate "C"';
    const statement = `create table edit_budgets (
      installation ${exact} not null, team ${exact} not null, free_at bigint not null,
      constraint edit_budgets_pk primary key (installation, team)
    )`;
    await db.executeQuery(CompiledQuery.raw(statement));
  },
});
