/** Adds the names of lent things. What is out is marked, so that the next fold reads its name from its scan. */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const thingNames: MigrationFor = () => ({
  async up(db): Promise<void> {
    for (const statement of [
      'alter table place_moves add column response text',
      'alter table places add column response text',
      `insert into place_marks (list_id, keys) select place_lists.id, places.key
        from place_lists join places on places.run = place_lists.run
        where place_lists.kind = 'custody' and places.inside = 0`,
    ]) {
      await db.executeQuery(CompiledQuery.raw(statement));
    }
  },
});
