/**
 * What rules need: posts that are told together, go under a card, are edited and acknowledged; what is collected and when it is
 * due; silences that are waited for; what rules remember; watched values and mutes.
 */
import { type Kysely, sql } from 'kysely';
import { exactText } from './columns.js';
import type { MigrationFor } from './migration.js';

export const notable: MigrationFor = (kind) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const exact = exactText(kind);
    // Rows that are found by their whole key, and hold little else: the key is the table.
    const keyed = kind === 'sqlite' ? sql`without rowid` : sql``;

    const columns = [
      ['rule_id', exact],
      ['detail', 'text'],
      ['card_key', exact],
      ['folded_into', exact],
      ['thread_ts', 'text'],
      ['edit_at', 'bigint'],
      ['edited_at', 'bigint'],
      ['ack_by', 'text'],
      ['ack_at', 'bigint'],
    ] as const;
    await db.schema
      .alterTable('outbox')
      .addColumn('kind', exact, (column) => column.notNull().defaultTo('scan'))
      .execute();
    for (const [name, type] of columns) {
      await db.schema.alterTable('outbox').addColumn(name, type).execute();
    }
    for (const name of ['revision', 'shown', 'edit_tries']) {
      await db.schema
        .alterTable('outbox')
        .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
    }
    // A key is also what a message is found by in its channel: two of one would be one.
    await db.schema.createIndex('outbox_key').unique().on('outbox').column('key').execute();
    await db.schema
      .createIndex('outbox_folded')
      .on('outbox')
      .columns(['folded_into', 'seq'])
      .where(sql.ref('folded_into'), 'is not', null)
      .execute();
    await db.schema
      .createIndex('outbox_card')
      .on('outbox')
      .column('card_key')
      .where(sql.ref('card_key'), 'is not', null)
      .execute();
    await db.schema
      .createIndex('outbox_edits')
      .on('outbox')
      .column('edit_at')
      .where(sql.ref('edit_at'), 'is not', null)
      .execute();

    await db.schema
      .createTable('digests')
      .addColumn('key', exact, (column) => column.primaryKey())
      .addColumn('relay_id', exact, (column) => column.notNull())
      .addColumn('rule_id', exact, (column) => column.notNull())
      .addColumn('installation', exact, (column) => column.notNull())
      .addColumn('team', exact, (column) => column.notNull())
      .addColumn('channel', exact, (column) => column.notNull())
      .addColumn('card_key', exact)
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('digests_rule')
      .unique()
      .on('digests')
      .columns(['relay_id', 'rule_id', 'channel'])
      .execute();
    await db.schema.createIndex('digests_due').on('digests').column('due_at').execute();

    await db.schema
      .createTable('silences')
      .addColumn('relay_id', exact, (column) => column.notNull())
      .addColumn('rule_id', exact, (column) => column.notNull())
      .addColumn('subject', exact, (column) => column.notNull())
      .addColumn('subject_id', exact, (column) => column.notNull())
      .addColumn('since', 'bigint', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('told_for', 'bigint')
      .addPrimaryKeyConstraint('silences_pk', ['relay_id', 'rule_id', 'subject_id'])
      .execute();
    await db.schema.createIndex('silences_due').on('silences').column('due_at').execute();

    await db.schema
      .createTable('rule_memories')
      .addColumn('relay_id', exact, (column) => column.notNull())
      .addColumn('rule_id', exact, (column) => column.notNull())
      .addColumn('memory', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('rule_memories_pk', ['relay_id', 'rule_id'])
      .modifyEnd(keyed)
      .execute();

    await db.schema
      .createTable('watches')
      .addColumn('id', exact, (column) => column.primaryKey())
      .addColumn('installation', exact, (column) => column.notNull())
      .addColumn('team', exact, (column) => column.notNull())
      .addColumn('value_key', exact, (column) => column.notNull())
      .addColumn('value', exact, (column) => column.notNull())
      .addColumn('channel', exact, (column) => column.notNull())
      .addColumn('who', exact, (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('until', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('watches_value')
      .unique()
      .on('watches')
      .columns(['installation', 'team', 'value_key', 'channel', 'who'])
      .execute();

    await db.schema
      .createTable('mutes')
      .addColumn('id', exact, (column) => column.primaryKey())
      .addColumn('installation', exact, (column) => column.notNull())
      .addColumn('team', exact, (column) => column.notNull())
      .addColumn('channel', exact, (column) => column.notNull())
      .addColumn('what', exact, (column) => column.notNull())
      .addColumn('what_key', exact, (column) => column.notNull())
      .addColumn('value', exact)
      .addColumn('relay_id', exact)
      .addColumn('rule_id', exact)
      .addColumn('who', exact, (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('until', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('mutes_what')
      .unique()
      .on('mutes')
      .columns(['installation', 'team', 'what', 'what_key', 'channel'])
      .execute();
  },
});
