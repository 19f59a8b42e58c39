/**
 * Active hours and quiet hours on the wall clock of their zone: at a clock change, an hour that occurs twice counts both
 * times, and a skipped hour contains nothing. Pure; the last window or gap is cached, and the offsets of zones.
 */
import { LRUCache } from 'lru-cache';
import { DateTime } from 'luxon';
import type { Hours } from './hours.js';
import { canonicalZone } from './zones.js';

/** A span of time in milliseconds, `to` not included. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** How far away the next start or end may be: hours of one day a week, one of which a clock change may skip. */
const reachMs = 16 * dayMs;
/** The most starts and ends looked at for the next start: some weeks of both schedules. */
const mostSteps = 100;

/**
 * A schedule from `from` until just before `to`. A `to` at or before `from` is on the next day, so equal times are a
 * whole day. `days` are the days on which the hours begin.
 */
export function createSchedule(hours: Hours) {
  const zone = zoneOf(hours.zone);
  const startMs = msOfDay(hours.from);
  const endMs = msOfDay(hours.to) + (hours.to > hours.from ? 0 : dayMs);
  const days = new Set(hours.days);
  let lastResult: { readonly window: Window; readonly open: boolean } | undefined;

  const windowsAround = (at: number): Window[] => {
    const windows: Window[] = [];
    for (const period of offsetPeriods(zone, at - reachMs, at + reachMs)) {
      const firstDay = Math.floor((period.from + period.offset) / dayMs) * dayMs - dayMs;
      for (let day = firstDay; day < period.to + period.offset; day += dayMs) {
        const windowStart = Math.max(period.from, day + startMs - period.offset);
        const ends = Math.min(period.to, day + endMs - period.offset);
        const lastWindow = windows.at(-1);
        if (!days.has(new Date(day).getUTCDay() || 7) || windowStart >= ends) {
          continue;
        }
        if (lastWindow && windowStart <= lastWindow.to) {
          windows[windows.length - 1] = { from: lastWindow.from, to: Math.max(lastWindow.to, ends) };
        } else {
          windows.push({ from: windowStart, to: ends });
        }
      }
    }
    return windows;
  };

  /** The window, or the gap between two, that contains `at`. */
  const find = (at: number): { window: Window; open: boolean } => {
    if (lastResult && at >= lastResult.window.from && at < lastResult.window.to) {
      return lastResult;
    }
    const windows = windowsAround(at);
    const open = windows.find((window) => at >= window.from && at < window.to);
    const gap = {
      from: Math.max(Number.NEGATIVE_INFINITY, ...windows.filter((window) => window.to <= at).map(({ to }) => to)),
      to: Math.min(Number.POSITIVE_INFINITY, ...windows.filter((window) => window.from > at).map(({ from }) => from)),
    };
    lastResult = open ? { window: open, open: true } : { window: gap, open: false };
    return lastResult;
  };

  return {
    find,
    isOpen: (at: number): boolean => find(at).open,
    /** The window that contains `at`; adjacent windows are joined. */
    windowAt(at: number): Window | undefined {
      const { window, open } = find(at);
      return open ? window : undefined;
    },
    /** When the next window after `at` begins. */
    nextStart(at: number): number {
      const { window, open } = find(at);
      const after = open ? find(window.to) : undefined;
      return after && !after.open ? after.window.to : window.to;
    },
  };
}

type HoursOfWeek = ReturnType<typeof createSchedule>;
export type Schedule = Omit<HoursOfWeek, 'find'>;

/** The hours of a schedule less those of another. */
export function withoutHours(hours: HoursOfWeek, less: HoursOfWeek): Schedule {
  const isOpen = (at: number) => hours.isOpen(at) && !less.isOpen(at);
  const windowAt = (at: number): Window | undefined => {
    const [{ window }, { window: gap }] = [hours.find(at), less.find(at)];
    return isOpen(at) ? { from: Math.max(window.from, gap.from), to: Math.min(window.to, gap.to) } : undefined;
  };
  return {
    isOpen,
    windowAt,
    nextStart(at) {
      let next = windowAt(at)?.to ?? at;
      for (let step = 0; step < mostSteps && !isOpen(next); step++) {
        next = hours.isOpen(next) ? less.find(next).window.to : hours.nextStart(next);
      }
      return isOpen(next) ? next : Number.POSITIVE_INFINITY;
    },
  };
}

/** The date of a moment in a zone as `YYYY-MM-DD`; in UTC if the zone is unknown. */
export function dayIn(zone: string, at: number): string {
  return DateTime.fromMillis(at, { zone: zoneOf(zone) }).toISODate() ?? '';
}

/** A time span with one offset between the zone's wall clock and UTC. */
interface OffsetPeriod extends Window {
  readonly offset: number;
}

/** The offsets at the beginnings of UTC days, by zone and time: a schedule asks for a month of them. */
const dayOffsets = new LRUCache<string, number>({ max: 10_000 });

function offsetOf(zone: string, at: number): number {
  return DateTime.fromMillis(at, { zone }).offset * minuteMs;
}

function dayOffsetOf(zone: string, day: number): number {
  const key = `${zone} ${day}`;
  const offset = dayOffsets.get(key) ?? offsetOf(zone, day);
  dayOffsets.set(key, offset);
  return offset;
}

/** The span of whole UTC days around `from` to `to`, parted at each clock change. */
function offsetPeriods(zone: string, from: number, to: number): OffsetPeriod[] {
  const offsetAt = (at: number) => offsetOf(zone, at);
  const firstDay = Math.floor(from / dayMs) * dayMs;
  const periods: OffsetPeriod[] = [];
  let periodStart = firstDay;
  let offset = dayOffsetOf(zone, firstDay);
  let at = firstDay;
  for (; at < to; at += dayMs) {
    const nextAt = at + dayMs;
    if (dayOffsetOf(zone, nextAt) !== offset) {
      let lastBefore = at;
      let firstAfter = nextAt;
      while (firstAfter - lastBefore > 1) {
        const middle = Math.floor((lastBefore + firstAfter) / 2);
        if (offsetAt(middle) === offset) {
          lastBefore = middle;
        } else {
          firstAfter = middle;
        }
      }
      periods.push({ from: periodStart, to: firstAfter, offset });
      periodStart = firstAfter;
      offset = offsetAt(firstAfter);
    }
  }
  return [...periods, { from: periodStart, to: at, offset }];
}

/** The zone, or UTC for a zone that Node no longer knows, which must not stop a relay. */
function zoneOf(zone: string): string {
  return canonicalZone(zone) ?? 'utc';
}

function msOfDay(time: string): number {
  return (Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))) * minuteMs;
}
