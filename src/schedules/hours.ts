/** Hours of a week on the wall clock of a zone, as people set them. They are stored as JSON. */
import { z } from 'zod';
import { canonicalZone } from './zones.js';

/** A time of day as `HH:mm`, 24 hours. */
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
export const zone = z.string().refine((name) => canonicalZone(name) !== undefined, 'not a time zone');

/** Days 1 (Monday) to 7, on which the hours begin. A `to` at or before `from` is on the next day. */
export const hoursSchema = z.object({
  zone,
  days: z.array(z.number().int().min(1).max(7)).min(1),
  from: timeOfDay,
  to: timeOfDay,
});
export type Hours = z.output<typeof hoursSchema>;

/** Whether the hours are whole days, on all seven: they never end. */
export function areWholeWeek({ days, from, to }: Hours): boolean {
  return from === to && new Set(days).size === 7;
}
