/**
 * Schedule of opening hours: when they start and end on the wall clock of their zone. Adjacent windows are joined.
 * Pure; the last window found is cached, since nearly every call is about the same one.
 */
import { DateTime } from 'luxon';
import type { Hours } from '../relays/settings.js';
import { canonicalZone } from './zones.js';

/** From and to in milliseconds, `to` not included. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

export interface Stretches {
  /** The window that `at` lies in. */
  windowAt(at: number): Stretch | undefined;
  /** When the next window begins, after `at`. */
  nextFrom(at: number): number;
}

/** Any start or end is this near: hours of one day a week, and a window over midnight. */
const daysAround = 9;

export function createStretches(hours: Hours): Stretches {
  const zone = zoneOf(hours.zone);
  const from = timeOf(hours.from);
  const to = timeOf(hours.to);
  const days = new Set(hours.days);
  let last: { readonly stretch: Stretch; readonly open: boolean } | undefined;

  const windowsAround = (at: number): Stretch[] => {
    const today = DateTime.fromMillis(at, { zone }).startOf('day');
    const windows: Stretch[] = [];
    for (let offset = -daysAround; offset <= daysAround; offset++) {
      const day = today.plus({ days: offset });
      const begins = day.set(from).toMillis();
      const ends = (hours.to > hours.from ? day : day.plus({ days: 1 })).set(to).toMillis();
      const before = windows.at(-1);
      if (!days.has(day.weekday) || begins >= ends) {
        // The hours do not begin on this day, or fall in the hour that summer time skips.
        continue;
      }
      if (before && begins <= before.to) {
        windows[windows.length - 1] = { from: before.from, to: Math.max(before.to, ends) };
      } else {
        windows.push({ from: begins, to: ends });
      }
    }
    return windows;
  };

  /** The window, or the gap between two, that contains `at`. */
  const stretchAt = (at: number): { stretch: Stretch; open: boolean } => {
    if (last && at >= last.stretch.from && at < last.stretch.to) {
      return last;
    }
    const windows = windowsAround(at);
    const open = windows.find((window) => at >= window.from && at < window.to);
    const gap = {
      from: Math.max(Number.NEGATIVE_INFINITY, ...windows.filter((window) => window.to <= at).map(({ to }) => to)),
      to: Math.min(Number.POSITIVE_INFINITY, ...windows.filter((window) => window.from > at).map(({ from }) => from)),
    };
    last = open ? { stretch: open, open: true } : { stretch: gap, open: false };
    return last;
  };

  return {
    windowAt(at) {
      const { stretch, open } = stretchAt(at);
      return open ? stretch : undefined;
    },
    nextFrom(at) {
      const { stretch, open } = stretchAt(at);
      const after = open ? stretchAt(stretch.to) : undefined;
      return after && !after.open ? after.stretch.to : stretch.to;
    },
  };
}

/** `YYYY-MM-DD` of a moment in a zone; in UTC if the zone is unknown. */
export function dayIn(zone: string, at: number): string {
  return DateTime.fromMillis(at, { zone: zoneOf(zone) }).toISODate() ?? '';
}

/** A zone that is no longer known must not stop a gate: UTC then. */
function zoneOf(zone: string): string {
  return canonicalZone(zone) ?? 'utc';
}

function timeOf(text: string): { hour: number; minute: number; second: 0; millisecond: 0 } {
  return { hour: Number(text.slice(0, 2)), minute: Number(text.slice(3, 5)), second: 0, millisecond: 0 };
}
