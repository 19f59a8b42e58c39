/** The condition on the response to the scan, which the device shows: a text, a pattern, above or below a number. */
import { z } from 'zod';
import { conditionKind } from './condition.js';
import { comparisons, comparisonTest, foldedByDefault } from './parts/compare.js';

export const response = conditionKind({
  schema: z.object({ kind: z.literal('response'), how: z.enum(comparisons), to: z.string(), exact: foldedByDefault }),
  about: 'one_scan',
  facts: 'scan',
  predicate(condition) {
    const fits = comparisonTest(condition);
    return ({ scan }) => fits(scan.text);
  },
});
