/** The condition that a scan property is there, or that its value equals, contains, is above or is below a text. */
import { z } from 'zod';
import { conditionKind } from './condition.js';
import { comparisons, comparisonTest, foldedByDefault } from './parts/compare.js';

export const property = conditionKind({
  schema: z.object({
    kind: z.literal('property'),
    name: z.string().min(1),
    how: z.enum(['present', ...comparisons]),
    to: z.string().default(''),
    exact: foldedByDefault,
  }),
  about: 'one_scan',
  facts: 'properties',
  predicate({ name, how, to, exact }) {
    const fits = how === 'present' ? () => true : comparisonTest({ how, to, exact });
    return ({ scan }) => scan.properties.some((one) => one.name === name && fits(one.value));
  },
});
