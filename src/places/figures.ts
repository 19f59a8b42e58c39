/** The figures of a list, from the rows of its current run: every surface reads them here. */
import { type Kysely, sql } from 'kysely';
import { equal } from '../database/equal.js';
import type { Schema } from '../database/schema.js';
import { beginningOf, isCounting, type PlaceList } from './list.js';
import { dayMinutes, hourMinutes } from './move-rows.js';

export interface GateFigures {
  /** The device's udid, or the account's id of it; empty: the scans name no device. */
  readonly gate: string;
  readonly ins: number;
  readonly outs: number;
}

export interface PlaceFigures {
  readonly inside: number;
  /** How many scans came in since the last reset, those of `insAgain` included; `outs` includes `outsAlone`. */
  readonly ins: number;
  readonly outs: number;
  /** How many barcodes went out without having come in. */
  readonly outsAlone: number;
  /** How often a barcode came in that was inside already. */
  readonly insAgain: number;
  readonly lastHour: { readonly ins: number; readonly outs: number };
  /** The most inside at one moment, in the minute of `at`; undefined: nobody came in yet. */
  readonly peak?: { readonly inside: number; readonly at: number };
  readonly gates: readonly GateFigures[];
  readonly since: number;
  /** Whether stored scans are still being counted. */
  readonly counting: boolean;
}

const hourMs = 3_600_000;
const minuteMs = 60_000;

const noCounts = { ins: 0, outs: 0, outs_alone: 0, ins_again: 0, change: 0, high: 0, high_at: 0 };

/** The counts of the whole run, which is one row. */
async function countsOf(db: Kysely<Schema>, run: string) {
  const row = await db
    .selectFrom('place_spans')
    .selectAll()
    .where(equal({ run, minutes: 0, start: 0 }))
    .executeTakeFirst();
  return row ?? noCounts;
}

export async function figuresOf(db: Kysely<Schema>, list: PlaceList, now: number): Promise<PlaceFigures> {
  const since = beginningOf(list, now);
  const state = { since, counting: isCounting(list, now) };
  // The rows of an earlier day are those of no run.
  const run = since === list.resetAt ? list.run : '';
  const [counts, gates, lastHour] = await Promise.all([
    countsOf(db, run),
    db
      .selectFrom('place_gates')
      .select(['gate', 'ins', 'outs'])
      .where(equal({ run, minute: 0 }))
      .execute(),
    movesSince(db, run, now - hourMs),
  ]);
  const { change: inside, ins, outs, outs_alone: outsAlone, ins_again: insAgain, high, high_at: highAt } = counts;
  return {
    inside,
    ins,
    outs,
    outsAlone,
    insAgain,
    lastHour,
    ...state,
    ...(high > 0 ? { peak: { inside: high, at: highAt * minuteMs } } : {}),
    gates: gates.sort((one, other) => other.ins + other.outs - one.ins - one.outs || (one.gate < other.gate ? -1 : 1)),
  };
}

const minuteOf = (at: number) => Math.floor(at / minuteMs);

/** The number of moves after `from`: whole minutes by their stored counts, the moves of its own minute one by one. */
async function movesSince(db: Kysely<Schema>, run: string, from: number) {
  const minute = minuteOf(from);
  const { rows } = await sql<{ ins: number | string | null; outs: number | string | null }>`
    select sum(ins) as ins, sum(outs) as outs from (
      select ins, outs from place_minutes where run = ${run} and minute > ${minute}
      union all select entering, 1 - entering from place_moves
        where run = ${run} and at > ${from} and at < ${(minute + 1) * minuteMs}) as counted`.execute(db);
  return { ins: Number(rows[0]?.ins), outs: Number(rows[0]?.outs) };
}

/**
 * How many were inside after the moves up to `at`, that moment included: the present figure without the changes since,
 * those of whole days, hours and minutes by their counts.
 */
export async function insideAt(db: Kysely<Schema>, run: string, at?: number): Promise<number> {
  const { change: inside } = await countsOf(db, run);
  if (at === undefined) {
    return inside;
  }
  const minute = minuteOf(at);
  const [hour, day] = [minute - (minute % hourMinutes), minute - (minute % dayMinutes)];
  const { rows } = await sql<{ since: number | string | null }>`select sum(change) as since from (
    select change from place_spans where run = ${run} and minutes = ${sql.lit(dayMinutes)} and start > ${day}
    union all select change from place_spans where run = ${run} and minutes = ${sql.lit(hourMinutes)}
      and start > ${hour} and start < ${day + dayMinutes}
    union all select change from place_minutes
      where run = ${run} and minute > ${minute} and minute < ${hour + hourMinutes}
    union all select change from place_moves
      where run = ${run} and at > ${at} and at < ${(minute + 1) * minuteMs}) as counted`.execute(db);
  return inside - Number(rows[0]?.since);
}

/** When the oldest move after `from` was; undefined: there is none. */
export async function firstMoveAfter(db: Kysely<Schema>, run: string, from: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('place_moves')
    .select('at')
    .where('run', '=', run)
    .where('at', '>', from)
    .orderBy('at')
    .limit(1)
    .executeTakeFirst();
  return row?.at;
}

/** The most inside in each span of `hours` hours, from the hour `from` to that of the last move. */
export interface PlaceCourse {
  readonly from: number;
  readonly hours: number;
  readonly most: readonly number[];
}

/** How far back a course goes. */
const courseHours = 10 * 24;

/** The course of a list's last days; undefined: nothing moved. @param partCount the most spans */
export async function courseOf(
  db: Kysely<Schema>,
  { run }: Pick<PlaceList, 'run'>,
  partCount: number,
  now: number,
): Promise<PlaceCourse | undefined> {
  const hourOf = (minute: number) => Math.floor(minute / hourMinutes);
  const oldest = hourOf(minuteOf(now)) - courseHours + 1;
  const [rows, { change: insideNow }] = await Promise.all([
    db
      .selectFrom('place_spans')
      .select(['start', 'change', 'high'])
      .where(equal({ run, minutes: hourMinutes }))
      .where('start', '>=', oldest * hourMinutes)
      .orderBy('start')
      .execute(),
    countsOf(db, run),
  ]);
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) {
    return undefined;
  }
  let inside = rows.reduce((before, { change }) => before - change, insideNow);
  const firstHour = inside === 0 ? hourOf(first.start) : oldest;
  const hours = Math.ceil((hourOf(last.start) - firstHour + 1) / partCount);
  const most: number[] = [];
  for (const { start, change, high } of rows) {
    const part = Math.floor((hourOf(start) - firstHour) / hours);
    while (most.length <= part) most.push(inside);
    most[part] = Math.max(most[part]!, inside + high);
    inside += change;
  }
  return { from: firstHour * hourMs, hours, most };
}

/**
 * The minutes since the last reset in which a barcode moved. `at`: when the minute begins. `inside`: how many were
 * inside at the end of the minute. `most`: the most within it.
 */
export async function minutesOf(db: Kysely<Schema>, { run }: PlaceList) {
  const rows = await db.selectFrom('place_minutes').selectAll().where('run', '=', run).orderBy('minute').execute();
  let inside = 0;
  return rows.map(({ minute, ins, outs, change, high }) => {
    const most = inside + Math.max(0, high);
    inside += change;
    return { at: minute * minuteMs, ins, outs, inside, most };
  });
}

export type PlaceMinute = Awaited<ReturnType<typeof minutesOf>>[number];
