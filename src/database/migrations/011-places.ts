/**
 * Lists of places: where barcodes are by their scans. Rows of a list are found by its run: a list that starts anew has
 * another one, and the rows of an ended run are deleted in slices. `holder` and `due_at` are of lists of lent things.
 */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

export const places: MigrationFor = (kind) => ({
  async up(db): Promise<void> {
    const [exact, flag, serial] =
      kind === 'sqlite'
        ? ['text', 'integer', 'integer primary key autoincrement']
        : ['text collate "C"', 'smallint', 'bigserial primary key'];
    for (const statement of [
      `create table place_lists (
        id ${exact} primary key, installation ${exact} not null, team ${exact} not null, kind ${exact} not null,
        name text not null, settings text not null, run ${exact} not null, reset_at bigint not null,
        next_reset_at bigint, fill_to bigint, version bigint not null default 0, claimed_by ${exact}, claimed_until bigint,
        created_by text not null, created_at bigint not null
      )`,
      'create index place_lists_owner on place_lists (installation, team, id)',
      `create table place_marks (id ${serial}, list_id ${exact} not null, key ${exact} not null)`,
      'create index place_marks_list on place_marks (list_id, id)',
      `create table place_moves (
        run ${exact} not null, key ${exact} not null, at bigint not null, scan_id ${exact} not null,
        barcode ${exact} not null, value text not null, entering ${flag} not null, gate text not null,
        user_id text not null, change ${flag} not null, recorded ${flag} not null,
        pruned ${flag} not null,
        constraint place_moves_pk primary key (run, key, at, scan_id)
      )`,
      'create index place_moves_at on place_moves (run, at)',
      `create table places (
        run ${exact} not null, key ${exact} not null, barcode ${exact} not null, value text not null,
        inside ${flag} not null, at bigint not null, scan_id ${exact} not null, gate text not null,
        user_id text not null, pruned ${flag} not null, holder text, due_at bigint,
        constraint places_pk primary key (run, key, barcode)
      )`,
      `create table place_minutes (
        run ${exact} not null, minute bigint not null, ins bigint not null, outs bigint not null,
        outs_alone bigint not null, ins_again bigint not null, change bigint not null, high bigint not null,
        constraint place_minutes_pk primary key (run, minute)
      )`,
      `create table place_gates (
        run ${exact} not null, minute bigint not null, gate text not null, ins bigint not null, outs bigint not null,
        constraint place_gates_pk primary key (run, minute, gate)
      )`,
      `create table place_runs_ended (run ${exact} primary key)`,
    ]) {
      await db.executeQuery(CompiledQuery.raw(statement));
    }
  },
});
