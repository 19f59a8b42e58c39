/** n scans that are not valid in m minutes; then not again until none came for m minutes. `rules/burst.ts` counts. */
import { z } from 'zod';
import { countOf, describeMinutes } from '../../english.js';
import { condition, neverMatches } from './condition.js';
import { field } from './parts/field.js';
import { minutes } from './parts/setting-parts.js';

export const burst = condition('burst', {
  about: 'several_scans',
  facts: 'rule',
  opensIncidents: true,
  heading: 'Time and frequency',
  menu: ['Alert: many not valid'],
  parts: {
    n: field(z.number().int().min(2).max(1_000), { name: 'burst', label: 'Number of scans not valid', initial: 5 }),
    minutes: field(minutes, {
      name: 'burst.minutes',
      label: 'Time window (minutes)',
      hint: 'One live message. It’s over after this long without a scan that is not valid.',
      initial: 10,
    }),
  },
  phrase: ({ n, minutes }) => `when ${countOf(n, 'scan')} are not valid within ${describeMinutes(minutes)}`,
  predicate: () => neverMatches,
});
