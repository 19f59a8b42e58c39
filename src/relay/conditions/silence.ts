/** No scan for so long, within the hours; posted again each day until one comes. `rules/timers/silence.ts` decides. */
import { z } from 'zod';
import { describeMinutes } from '../../english.js';
import { areWholeWeek, hoursSchema } from '../../schedules/hours.js';
import { condition, neverMatches } from './condition.js';
import { describeHours } from './parts/describe-hours.js';
import { sources } from './parts/either.js';
import { field, oneOf } from './parts/field.js';
import { minutes } from './parts/setting-parts.js';

export const silence = condition('silence', {
  about: 'no_scan',
  facts: 'rule',
  opensIncidents: true,
  heading: 'Time and frequency',
  menu: ['Alert: no scans'],
  parts: {
    of: oneOf(
      { relay: 'This relay', device: 'Each of these devices', service: 'Each of these services' },
      { name: 'silence.of', label: 'No scans from', initial: 'relay' },
    ),
    /** Udids or service ids to watch; empty: the whole relay, whose silence any scan ends. */
    ids: { schema: z.array(z.string()).max(100).default([]), idsOf: 'of' },
    minutes: field(minutes, {
      name: 'silence.minutes',
      label: 'Minutes without scans',
      hint: ({ hours }) => {
        const { success, data } = hoursSchema.safeParse(hours);
        const again = success && areWholeWeek(data) ? '' : ' When its hours begin again, it’s posted again.';
        return `One live message until a scan arrives.${again}`;
      },
      initial: 15,
    }),
    hours: field(hoursSchema, { as: 'hours', label: 'Hours' }),
  },
  phrase({ of, ids, minutes, hours }, nameOf) {
    const source = of === 'relay' || ids.length === 0 ? '' : ` from ${sources(of, ids, nameOf)}`;
    return `when no scan arrives${source} for ${describeMinutes(minutes)}, ${describeHours(hours)}`;
  },
  counts: ({ of }) => (of === 'relay' ? undefined : of),
  refersTo: ({ of }) => (of === 'relay' ? undefined : of),
  predicate: () => neverMatches,
});
