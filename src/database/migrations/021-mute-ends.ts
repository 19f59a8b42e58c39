/** Mutes that end after a number of posts or with an incident; notes on acknowledgements. */
import type { Kysely } from 'kysely';
import { exactText } from './columns.js';
import type { MigrationFor } from './migration.js';

export const muteEnds: MigrationFor = (kind) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('mutes').addColumn('remaining', 'bigint').execute();
    await db.schema.alterTable('mutes').addColumn('incident_id', exactText(kind)).execute();
    await db.schema.alterTable('outbox').addColumn('ack_note', 'text').execute();
  },
});
