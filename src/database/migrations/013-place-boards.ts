/** Adds boards: live messages that show a list of places in a channel. A channel has at most one board of a list. */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const placeBoards: MigrationFor = (kind) => ({
  async up(db): Promise<void> {
    const exact = kind === 'sqlite' ? 'text' : 'text collate "C"';
    for (const statement of [
      `create table place_boards (
        key ${exact} primary key, list_id ${exact} not null, installation ${exact} not null, team ${exact} not null,
        channel ${exact} not null, shown text not null, due_at bigint, created_by text not null,
        created_at bigint not null, lost_at bigint, lost_code text, notified_at bigint
      )`,
      'create unique index place_boards_list on place_boards (list_id, channel)',
    ]) {
      await db.executeQuery(CompiledQuery.raw(statement));
    }
  },
});
