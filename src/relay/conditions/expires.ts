/** A date in the GS1 barcode (use by, best before, sell by) is at most so many days away, or past. */
import { z } from 'zod';
import { zone } from '../../schedules/hours.js';
import { conditionKind, momentOf } from './condition.js';
import { daysToExpiry } from './parts/gs1.js';

export const expires = conditionKind({
  schema: z.object({ kind: z.literal('expires'), days: z.number().int().min(0).max(3_650), zone }),
  about: 'one_scan',
  facts: 'scan',
  predicate:
    (condition, { gs1 }) =>
    (facts) => {
      const days = daysToExpiry(gs1(facts.scan.tid), momentOf(facts.scan), condition.zone);
      return days !== undefined && days <= condition.days;
    },
});
