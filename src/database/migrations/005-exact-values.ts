/**
 * Makes one row for each value of a copied database, where all values of one key shared a row. The old rows stay, for
 * an outage: the missing columns are filled once the database's next pass is complete, which sets `searched`.
 */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const exactValues: MigrationFor = (kind) => ({
  async up(db): Promise<void> {
    const [exact, flag, keyed] =
      kind === 'sqlite' ? ['text', 'integer', 'without rowid'] : ['text collate "C"', 'smallint', ''];
    // A text that a value with control characters reads like was marked by the largest number that `sure_from` takes.
    const lost = `sure_from = ${Number.MAX_SAFE_INTEGER}`;
    for (const statement of [
      'alter table mirrored_databases add column attempt bigint not null default 0',
      `alter table mirrored_databases add column searched ${flag}`,
      `create table exact_values (
        mirror_id bigint not null, key ${exact} not null, twin bigint not null default 0, value text not null,
        valid ${flag} not null, response text not null, round bigint not null, sure_from bigint not null default 0,
        lost_round bigint, attempt bigint not null default 0,
        constraint exact_values_pk primary key (mirror_id, key, twin)
      ) ${keyed}`,
      `insert into exact_values (mirror_id, key, value, valid, response, round, sure_from, lost_round)
        select mirror_id, key, value, valid, response, round, case when ${lost} then 0 else sure_from end,
          case when ${lost} then round end from mirrored_values`,
      'drop table mirrored_values',
      'alter table exact_values rename to mirrored_values',
    ]) {
      await db.executeQuery(CompiledQuery.raw(statement));
    }
  },
});
