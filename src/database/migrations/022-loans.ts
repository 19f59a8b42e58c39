/**
 * Gives each answer about a lent thing its moment; extensions had none, and count from when the thing went out.
 * `quiet_to`: the moment of the change after which a list counts anew; what was due by then is not posted.
 */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const loanMoments: MigrationFor = () => ({
  async up(db): Promise<void> {
    for (const statement of [
      'alter table loans add column extended_at bigint',
      'update loans set extended_at = out_at where extended_by is not null',
      'alter table place_lists add column quiet_to bigint',
    ]) {
      await db.executeQuery(CompiledQuery.raw(statement));
    }
  },
});
