/** A date in the GS1 barcode (use by, best before, sell by) is at most so many days away, or past. */
import { z } from 'zod';
import { countOf } from '../../english.js';
import { zone } from '../../schedules/hours.js';
import { condition, momentOf } from './condition.js';
import { field } from './parts/field.js';
import { daysToExpiry } from './parts/gs1.js';

export const expires = condition('expires', {
  about: 'one_scan',
  facts: 'scan',
  heading: 'Barcode',
  menu: ['Items that expire soon', 'GS1 barcodes with a date'],
  parts: {
    days: field(z.number().int().min(0).max(3_650), {
      label: 'Days left, at most',
      hint: 'With 0, items that expire today. Items that have expired always match.',
      initial: 30,
    }),
    zone: field(zone, {
      name: 'days.zone',
      as: 'zone',
      label: 'Time zone',
      hint: 'A day begins at midnight in this time zone.',
    }),
  },
  phrase: ({ days }) =>
    days === 0 ? 'expires today or has expired' : `expires within ${countOf(days, 'day')} or has expired`,
  predicate:
    ({ days, zone }, { gs1 }) =>
    ({ scan }) =>
      (daysToExpiry(gs1(scan.tid), momentOf(scan), zone) ?? Number.POSITIVE_INFINITY) <= days,
});
