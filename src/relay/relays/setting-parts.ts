/** The parts that settings are made of: hours, minutes, patterns, comparisons. */
import { z } from 'zod';
import { patternProblem } from '../rules/conditions/pattern.js';
import { canonicalZone } from '../rules/zones.js';

/** `HH:mm`, 24 hours. */
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
export const zone = z.string().refine((name) => canonicalZone(name) !== undefined, 'not a time zone');
export const minutes = z
  .number()
  .int()
  .min(1)
  .max(7 * 24 * 60);

/** RE2. */
export const pattern = z
  .string()
  .min(1)
  .max(1_000)
  .refine((text) => patternProblem(text) === undefined, { error: (issue) => patternProblem(String(issue.input)) });

/** Days 1 (Monday) to 7. `from` after `to` goes over midnight; the day is the one it begins on. */
export const hoursSchema = z.object({
  zone,
  days: z.array(z.number().int().min(1).max(7)).min(1),
  from: timeOfDay,
  to: timeOfDay,
});
export type Hours = z.output<typeof hoursSchema>;

/** How texts are compared: case-sensitive by default. */
export const exact = z.boolean().default(true);
