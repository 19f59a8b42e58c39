/** The condition that the scan comes from one of the listed services, users or devices. */
import { z } from 'zod';
import { fieldOf } from '../../counters/counters.js';
import { conditionKind } from './condition.js';
import { listPredicate } from './parts/compare.js';

export const from = conditionKind({
  schema: z.object({
    kind: z.literal('from'),
    what: z.enum(['service', 'user', 'device']),
    ids: z.array(z.string()).min(1),
  }),
  about: 'one_scan',
  facts: 'scan',
  refersTo: ({ what }) => what,
  predicate: ({ what, ids }) => listPredicate({ is: ids, exact: true }, ({ scan }) => scan[fieldOf[what]]),
});
