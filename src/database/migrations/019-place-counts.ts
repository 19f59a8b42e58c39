/**
 * Adds the counts of a list's hours, days and whole run, so that a look at a list reads a few rows however old it is.
 * The rows of gates become one for each gate of a run, at minute 0. `cleared_at`: when a person last reset the list.
 */
import { CompiledQuery } from 'kysely';
import type { MigrationFor } from './migration.js';

const counted = ['ins', 'outs', 'outs_alone', 'ins_again', 'change'];
const sums = counted.map((column) => `sum(${column})`).join(', ');

/** Counts spans of `minutes` minutes by rows of shorter spans; 0 stands for the whole run. */
const count = (minutes: number, rows: string, at: string, highAt: string) => `
  insert into place_spans (run, minutes, start, ${counted.join(', ')}, high, high_at)
  select run, ${minutes}, start, ${sums}, max(top), min(case when top = most then high_at end) from (
    select ranked.*, max(top) over (partition by run, start) as most from (
      select run, ${minutes === 0 ? '0' : `${at} - ${at} % ${minutes}`} as start, ${counted.join(', ')}, ${highAt} as high_at,
        sum(change) over (partition by run, ${minutes === 0 ? '0' : `${at} - ${at} % ${minutes}`} order by ${at}) - change + high as top
      from ${rows}) as ranked) as counted
  group by run, start`;

export const placeCounts: MigrationFor = (kind) => ({
  async up(db): Promise<void> {
    const exact = kind === 'sqlite' ? 'text' : 'text collate "C"';
    for (const statement of [
      `create table place_spans (
        run ${exact} not null, minutes bigint not null, start bigint not null, ins bigint not null, outs bigint not null,
        outs_alone bigint not null, ins_again bigint not null, change bigint not null, high bigint not null,
        high_at bigint not null,
        constraint place_spans_pk primary key (run, minutes, start)
      )`,
      count(60, 'place_minutes', 'minute', 'minute'),
      count(1440, 'place_spans where minutes = 60', 'start', 'high_at'),
      count(0, 'place_spans where minutes = 1440', 'start', 'high_at'),
      `insert into place_gates (run, minute, gate, ins, outs)
        select run, 0, gate, sum(ins), sum(outs) from place_gates group by run, gate`,
      'delete from place_gates where minute > 0',
      'alter table place_lists add column cleared_at bigint',
      `update place_lists set cleared_at = reset_at where kind = 'inside'`,
    ]) {
      await db.executeQuery(CompiledQuery.raw(statement));
    }
  },
});
