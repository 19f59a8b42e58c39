/**
 * Opening hours test: whether a moment lies within given hours on the wall clock of their zone. At a clock change, an
 * hour that occurs twice counts both times, and one that is skipped contains nothing. Pure.
 */
import { DateTime } from 'luxon';
import type { Hours } from '../relays/settings.js';

/**
 * From `from` until just before `to`. `to` at or before `from` is on the next day, so equal times are a whole day.
 * `days` are the days on which the hours begin.
 */
export function isWithin(hours: Hours, at: number): boolean {
  const wall = DateTime.fromMillis(at, { zone: hours.zone });
  const now = wall.hour * 60 + wall.minute;
  const from = minuteOf(hours.from);
  const to = minuteOf(hours.to);
  const today = hours.days.includes(wall.weekday);
  if (from < to) {
    return today && now >= from && now < to;
  }
  const yesterday = hours.days.includes(wall.weekday === 1 ? 7 : wall.weekday - 1);
  return (today && now >= from) || (yesterday && now < to);
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
