/** The figures of a list, from the rows of its current run: every surface reads them here. */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../database/schema.js';
import type { PlaceList } from './list.js';

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

export async function figuresOf(db: Kysely<Schema>, list: PlaceList, now: number): Promise<PlaceFigures> {
  const { run } = list;
  const [totals, peaks, gates, hour] = await Promise.all([
    sql<Record<'inside' | 'ins' | 'outs' | 'outs_alone' | 'ins_again', number | string | null>>`
      select sum(change) as inside, sum(ins) as ins, sum(outs) as outs, sum(outs_alone) as outs_alone,
        sum(ins_again) as ins_again from place_minutes where run = ${run}`.execute(db),
    sql<{ minute: number; inside: number | string }>`
      select minute, before + high as inside from (select minute, high,
        sum(change) over (order by minute) - change as before from place_minutes where run = ${run}) as counted
      order by before + high desc, minute limit 1`.execute(db),
    sql<{ gate: string; ins: number | string; outs: number | string }>`
      select gate, sum(ins) as ins, sum(outs) as outs from place_gates where run = ${run} group by gate`.execute(db),
    movesSince(db, run, now - hourMs),
  ]);
  const { inside, ins, outs, outs_alone: outsAlone, ins_again: insAgain } = totals.rows[0]!;
  const peak = peaks.rows[0];
  return {
    ...{ inside: Number(inside), ins: Number(ins), outs: Number(outs) },
    ...{ outsAlone: Number(outsAlone), insAgain: Number(insAgain) },
    lastHour: hour,
    ...(peak && Number(peak.inside) > 0
      ? { peak: { inside: Number(peak.inside), at: Number(peak.minute) * minuteMs } }
      : {}),
    gates: gates.rows
      .map((row) => ({ gate: row.gate, ins: Number(row.ins), outs: Number(row.outs) }))
      .sort((one, other) => other.ins + other.outs - one.ins - one.outs || (one.gate < other.gate ? -1 : 1)),
    since: list.resetAt,
    counting: list.fillTo !== undefined,
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

/** How many were inside after the moves up to `at`, that moment included; by default after all moves. */
export async function insideAt(db: Kysely<Schema>, run: string, at = Number.MAX_SAFE_INTEGER): Promise<number> {
  const minute = minuteOf(at);
  const { rows } = await sql<{ inside: number | string | null }>`select sum(change) as inside from (
    select change from place_minutes where run = ${run} and minute < ${minute}
    union all select change from place_moves
      where run = ${run} and at >= ${minute * minuteMs} and at <= ${at}) as counted`.execute(db);
  return Number(rows[0]?.inside);
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

/** The most inside in each span of `hours` hours, from the hour of the first move (`from`) to that of the last. */
export interface PlaceCourse {
  readonly from: number;
  readonly hours: number;
  readonly most: readonly number[];
}

/** The course of a list; undefined: nothing moved yet. @param partCount the most spans */
export async function courseOf(
  db: Kysely<Schema>,
  { run }: Pick<PlaceList, 'run'>,
  partCount: number,
): Promise<PlaceCourse | undefined> {
  const minuteSpan = await sql<{ first: number | null; last: number | null }>`
    select min(minute) as first, max(minute) as last from place_minutes where run = ${run}`.execute(db);
  const { first, last } = minuteSpan.rows[0]!;
  if (first === null || last === null) {
    return undefined;
  }
  const firstHour = Math.floor(first / 60);
  const hours = Math.ceil((Math.floor(last / 60) - firstHour + 1) / partCount);
  const { rows } = await sql<{ part: number | string; most: number | string; change: number | string }>`
    select (minute - ${sql.lit(firstHour * 60)}) / ${sql.lit(hours * 60)} as part, max(before + high) as most, sum(change) as change
    from (select minute, high, change, sum(change) over (order by minute) - change as before
      from place_minutes where run = ${run}) as counted
    group by 1 order by 1`.execute(db);
  const byPart = new Map(rows.map((row) => [Number(row.part), row]));
  let inside = 0;
  const most = Array.from({ length: Math.floor((Math.floor(last / 60) - firstHour) / hours) + 1 }, (_, part) => {
    const row = byPart.get(part);
    const high = Math.max(inside, Number(row?.most ?? 0));
    inside += Number(row?.change ?? 0);
    return high;
  });
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
