/** The conditions that the scan happens within hours of the week, or outside them. */
import { type ConditionOf, describeHours } from '../../relay/index.js';
import { field, shownCondition } from './condition.js';
import { defaultHours, hours } from './inputs/hours.js';

/** The field for the hours of a condition. */
export const hoursField = field(hours, {
  label: 'Hours',
  from: ({ condition, zone }) => (condition && 'hours' in condition ? condition.hours : defaultHours(zone)),
});

function hoursKind<const K extends 'within_hours' | 'outside_hours'>(kind: K, word: 'within' | 'outside') {
  return shownCondition<K, { readonly hours: typeof hoursField }>(kind, {
    heading: 'Time and frequency',
    choices: [['', `Scans ${word} set hours`]],
    phrase: ({ hours }) => `happens ${word} ${describeHours(hours)}`,
    fields: { hours: hoursField },
    read: ({ hours }) => hours && ({ kind, hours } as ConditionOf<K>),
  });
}

export const withinHours = hoursKind('within_hours', 'within');
export const outsideHours = hoursKind('outside_hours', 'outside');
