/** The parts that settings are made of: minutes, patterns, comparisons. */
import { z } from 'zod';
import { patternProblem } from './pattern.js';

export const minutes = z
  .number()
  .int()
  .min(1)
  .max(7 * 24 * 60);

/** A regular expression in the syntax of RE2. */
export const pattern = z
  .string()
  .min(1)
  .max(1_000)
  .refine((text) => patternProblem(text) === undefined, { error: (issue) => patternProblem(String(issue.input)) });

/** Whether case counts when texts are compared; it does by default. */
export const exact = z.boolean().default(true);
