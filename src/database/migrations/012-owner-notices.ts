/** The notice that a relay is paused: when it was sent, and until when it is claimed; one column held both. */
import { type Kysely, sql } from 'kysely';
import type { MigrationFor } from './migration.js';

export const ownerNotices: MigrationFor = () => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('relays').renameColumn('told_at', 'owner_notified_at').execute();
    await db.schema.alterTable('relays').renameColumn('undelivered_told_at', 'undelivered_notified_at').execute();
    await db.schema.alterTable('relays').addColumn('notify_claimed_until', 'bigint').execute();
    await sql`update relays set notify_claimed_until = -owner_notified_at, owner_notified_at = null
      where owner_notified_at < 0`.execute(db);
  },
});
