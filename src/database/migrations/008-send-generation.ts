/**
 * Which sending of a post it is: retries keep it, a replay and a card posted anew count it up. What the message is known by at
 * Slack follows from it.
 */
import type { Kysely } from 'kysely';
import type { MigrationFor } from './migration.js';

export const sendGeneration: MigrationFor = () => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('outbox')
      .addColumn('generation', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
});
