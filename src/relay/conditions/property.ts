/** The condition that a scan property is there, or has a value. */
import { z } from 'zod';
import { conditionKind } from './condition.js';
import { comparison, comparisons, foldedByDefault } from './parts/compare.js';

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
    const fits = how === 'present' ? () => true : comparison({ how, to, exact });
    return ({ scan }) => scan.properties.some((one) => one.name === name && fits(one.value));
  },
});
