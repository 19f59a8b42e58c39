/** The hours of a condition, shared by the kinds that have some. */
import { field } from '../condition.js';
import { defaultHours, hours } from '../inputs/hours.js';

export const hoursField = field(hours, {
  label: 'Hours',
  from: ({ condition, zone }) => (condition && 'hours' in condition ? condition.hours : defaultHours(zone)),
});
