/** Incidents: a burst or a silence from its beginning to its end, and what people did about it. */
import { type Kysely, sql } from 'kysely';
import { exactText } from './columns.js';
import type { MigrationFor } from './migration.js';

export const incidents: MigrationFor = (kind) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const exact = exactText(kind);
    await db.schema
      .createTable('incidents')
      .addColumn('post_key', exact, (column) => column.primaryKey())
      .addColumn('installation', exact, (column) => column.notNull())
      .addColumn('team', exact, (column) => column.notNull())
      .addColumn('relay_id', exact, (column) => column.notNull())
      .addColumn('rule_id', exact, (column) => column.notNull())
      .addColumn('kind', exact, (column) => column.notNull())
      .addColumn('subject', exact, (column) => column.notNull())
      .addColumn('subject_id', exact, (column) => column.notNull())
      .addColumn('began_at', 'bigint', (column) => column.notNull())
      .addColumn('opened_at', 'bigint', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .addColumn('scans', 'bigint', (column) => column.notNull())
      .addColumn('tally', 'text', (column) => column.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('replied_at', 'bigint', (column) => column.notNull())
      .addColumn('ended_at', 'bigint')
      .addColumn('end_reason', exact)
      .addColumn('end_scan_id', exact)
      .addColumn('acknowledged_by', exact)
      .addColumn('acknowledged_at', 'bigint')
      .addColumn('acknowledged_note', 'text')
      .addColumn('assigned_to', exact)
      .addColumn('assigned_by', exact)
      .addColumn('assigned_at', 'bigint')
      .addColumn('resolved_by', exact)
      .addColumn('resolved_at', 'bigint')
      .addColumn('resolved_reason', 'text')
      .addColumn('escalate_at', 'bigint')
      .addColumn('escalated_at', 'bigint')
      .execute();
    await db.schema
      .createIndex('incidents_open')
      .unique()
      .on('incidents')
      .columns(['relay_id', 'rule_id', 'subject', 'subject_id'])
      .where(sql.ref('ended_at'), 'is', null)
      .execute();
    await db.schema
      .createIndex('incidents_ended')
      .on('incidents')
      .column('ended_at')
      .where(sql.ref('ended_at'), 'is not', null)
      .execute();
    for (const column of ['due_at', 'escalate_at']) {
      await db.schema
        .createIndex(`incidents_${column.replace('_at', '')}`)
        .on('incidents')
        .column(column)
        .where(sql.ref(column), 'is not', null)
        .execute();
    }
  },
});
