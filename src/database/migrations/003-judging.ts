/**
 * What judging needs: what a relay counts, what was found of a scan, and the kept copies of the account's databases.
 */
import { type Kysely, sql } from 'kysely';
import { exactText } from './columns.js';
import type { MigrationFor } from './migration.js';

export const judging: MigrationFor = (kind) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const exact = exactText(kind);
    // Rows that are found by their whole key, and hold little else: the key is the table.
    const keyed = kind === 'sqlite' ? sql`without rowid` : sql``;

    await db.schema
      .alterTable('relays')
      .addColumn('counting', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute();

    await db.schema.alterTable('scans').addColumn('finding', 'text').execute();
    await db.schema
      .alterTable('scans')
      .addColumn('late', kind === 'postgres' ? 'smallint' : 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable('scans').addColumn('why', 'text').execute();
    await db.schema.alterTable('scans').addColumn('reply', 'text').execute();

    await db.schema
      .createTable('counters')
      .addColumn('relay_id', exact, (column) => column.notNull())
      .addColumn('subject', exact, (column) => column.notNull())
      .addColumn('key', exact, (column) => column.notNull())
      .addColumn('seen', 'bigint', (column) => column.notNull())
      .addColumn('first_at', 'bigint', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .addColumn('accepted', 'bigint', (column) => column.notNull())
      .addColumn('last_accepted_at', 'bigint')
      .addPrimaryKeyConstraint('counters_pk', ['relay_id', 'subject', 'key'])
      .modifyEnd(keyed)
      .execute();

    await db.schema
      .createTable('acceptances')
      .addColumn('relay_id', exact, (column) => column.notNull())
      .addColumn('subject', exact, (column) => column.notNull())
      .addColumn('key', exact, (column) => column.notNull())
      .addColumn('n', 'bigint', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('acceptances_pk', ['relay_id', 'subject', 'key', 'n'])
      .modifyEnd(keyed)
      .execute();
  },
});
