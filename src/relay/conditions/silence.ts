/** No scan for so long, within the hours; posted again each day until one comes. `rules/timers/silence.ts` decides. */
import { z } from 'zod';
import { hoursSchema } from '../../schedules/hours.js';
import { conditionKind, neverMatches } from './condition.js';
import { minutes } from './parts/setting-parts.js';

export const silence = conditionKind({
  schema: z.object({
    kind: z.literal('silence'),
    of: z.enum(['relay', 'device', 'service']),
    /** Udids or service ids to watch; empty: the whole relay, whose silence any scan ends. */
    ids: z.array(z.string()).max(100).default([]),
    minutes,
    hours: hoursSchema,
  }),
  about: 'no_scan',
  facts: 'rule',
  opensIncidents: true,
  counts: ({ of }) => (of === 'relay' ? undefined : of),
  refersTo: ({ of }) => (of === 'relay' ? undefined : of),
  predicate: () => neverMatches,
});
