/**
 * Adds one budget of calls for each paced method of Slack, where message updates alone had one, and the last message
 * known in a channel, from which a post in doubt is searched for.
 */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const callBudgets: MigrationFor = (kind) => ({
  async up(db): Promise<void> {
    const exact = kind === 'sqlite' ? 'text' : 'text collate "C"';
    for (const statement of [
      // Budgets are not copied: one is used up for a minute at most.
      'drop table edit_budgets',
      `create table call_budgets (
        installation ${exact} not null, team ${exact} not null, method ${exact} not null, free_at bigint not null,
        constraint call_budgets_pk primary key (installation, team, method)
      )`,
      `alter table channel_queues add column last_ts ${exact}`,
      `alter table outbox add column after_ts ${exact}`,
    ]) {
      await db.executeQuery(CompiledQuery.raw(statement));
    }
  },
});
