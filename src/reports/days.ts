/**
 * The schedule of a report and the days that it compares, in its zone. Pure. A time that a clock change skips is the one
 * an hour later; one that comes twice counts once, the first time.
 */
import { DateTime } from 'luxon';
import type { Report } from './report.js';

type Schedule = Pick<Report, 'hour' | 'minute' | 'zone'>;

/** The first time of the schedule after `after`. */
export function nextDue(schedule: Schedule, after: number): number {
  const today = DateTime.fromMillis(after, { zone: schedule.zone }).startOf('day');
  for (let days = 0; ; days++) {
    const at = timeOf(today.plus({ days }).startOf('day'), schedule);
    if (at > after) {
      return at;
    }
  }
}

/** The last due time that passed since `dueAt`, itself included, and the number of due times before it. */
export function lastDue(
  schedule: Schedule,
  dueAt: number,
  now: number,
): { readonly at: number; readonly before: number } {
  const dayOf = (at: number) => DateTime.fromMillis(at, { zone: schedule.zone }).startOf('day');
  const [first, today] = [dayOf(dueAt), dayOf(now)];
  const last = timeOf(today, schedule) > now ? today.minus({ days: 1 }).startOf('day') : today;
  const at = timeOf(last, schedule);
  if (at <= dueAt) {
    return { at: dueAt, before: 0 };
  }
  const days = Math.round(last.diff(first, 'days').days);
  return { at, before: timeOf(first, schedule) > dueAt ? days + 1 : days };
}

export interface DaySpan {
  /** The date, in the report's zone: `2026-11-22`. */
  readonly date: string;
  readonly from: number;
  /** The end of the span, which is not part of it. */
  readonly to: number;
}

export interface ReportedDays {
  readonly day: DaySpan;
  /** The day before, up to the same time of day as the reported one. */
  readonly before: DaySpan;
  /** Whether the day is not over: its scans were counted up to the time of the report. */
  readonly isPart: boolean;
}

/** The days of a report. At midnight, today has no scans yet: the day that ends is meant. */
export function reportedDays(report: Pick<Report, 'day'> & Schedule, dueAt: number): ReportedDays {
  const today = DateTime.fromMillis(dueAt, { zone: report.zone }).startOf('day');
  const startOfDayBefore = (days: number) => today.minus({ days }).startOf('day');
  if (report.day === 'yesterday' || today.toMillis() >= dueAt) {
    return { day: wholeDay(startOfDayBefore(1)), before: wholeDay(startOfDayBefore(2)), isPart: false };
  }
  const day = { date: dateOf(today), from: today.toMillis(), to: dueAt };
  const earlier = startOfDayBefore(1);
  return {
    day,
    before: { date: dateOf(earlier), from: earlier.toMillis(), to: timeOf(earlier, report) },
    isPart: true,
  };
}

function wholeDay(start: DateTime): DaySpan {
  return { date: dateOf(start), from: start.toMillis(), to: start.plus({ days: 1 }).startOf('day').toMillis() };
}

/** The time on a day, by the offset at its beginning: another guess could find the second of two equal times. */
function timeOf(startOfDay: DateTime, { hour, minute }: Schedule): number {
  return startOfDay.set({ hour, minute }).toMillis();
}

function dateOf(day: DateTime): string {
  return day.toFormat('yyyy-LL-dd');
}
