/** The conditions that the scan happens within hours of the week, or outside them. */
import { hoursSchema } from '../../schedules/hours.js';
import { createSchedule } from '../../schedules/schedule.js';
import { condition, momentOf } from './condition.js';
import { describeHours } from './parts/describe-hours.js';
import { field } from './parts/field.js';

function hoursKind<const K extends string>(kind: K, word: 'within' | 'outside') {
  return condition(kind, {
    about: 'one_scan',
    facts: 'scan',
    heading: 'Time and frequency',
    menu: [`Scans ${word} set hours`],
    parts: { hours: field(hoursSchema, { as: 'hours', label: 'Hours' }) },
    phrase: ({ hours }) => `happens ${word} ${describeHours(hours)}`,
    predicate({ hours }) {
      const schedule = createSchedule(hours);
      return ({ scan }) => schedule.isOpen(momentOf(scan)) === (word === 'within');
    },
  });
}

export const withinHours = hoursKind('within_hours', 'within');
export const outsideHours = hoursKind('outside_hours', 'outside');
