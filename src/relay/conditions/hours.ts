/** The conditions that the scan happens within hours of the week, or outside them. */
import { z } from 'zod';
import { hoursSchema } from '../../schedules/hours.js';
import { createSchedule } from '../../schedules/schedule.js';
import { conditionKind, momentOf } from './condition.js';

function hoursKind<const K extends string>(kind: K, isInside: boolean) {
  return conditionKind({
    schema: z.object({ kind: z.literal(kind), hours: hoursSchema }),
    about: 'one_scan',
    facts: 'scan',
    predicate(condition) {
      const schedule = createSchedule(condition.hours);
      return ({ scan }) => schedule.isOpen(momentOf(scan)) === isInside;
    },
  });
}

export const withinHours = hoursKind('within_hours', true);
export const outsideHours = hoursKind('outside_hours', false);
