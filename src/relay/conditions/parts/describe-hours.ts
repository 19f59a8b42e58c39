/** Weekly hours as text. Pure. */
import { placeOf } from '../../../codereadr/operations/zones.js';
import type { Hours } from '../../../schedules/hours.js';

export const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** Hours in words: `Mon–Fri, 08:00–18:00 (Berlin)`. */
export function describeHours({ days: weekdays, from, to, zone }: Hours): string {
  const times = from === to ? 'around the clock' : `${from}–${to}`;
  return `${describeDays(weekdays)}, ${times} (${placeOf(zone)})`;
}

function describeDays(weekdays: readonly number[]): string {
  const sorted = [...new Set(weekdays)].sort((a, b) => a - b);
  const short = (day: number) => dayNames[day - 1]?.slice(0, 3) ?? '';
  const [first, last] = [sorted[0] ?? 1, sorted.at(-1) ?? 7];
  if (sorted.length === 7) {
    return 'every day';
  }
  const isSpan = sorted.length > 2 && last - first === sorted.length - 1;
  return isSpan ? `${short(first)}–${short(last)}` : sorted.map(short).join(', ');
}
