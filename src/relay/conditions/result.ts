/** The condition on the scan's result. */
import { z } from 'zod';
import { isValidated } from '../../scans/received/received-scan-rows.js';
import { conditionKind } from './condition.js';

export const result = conditionKind({
  schema: z.object({
    kind: z.literal('result'),
    is: z.enum(['valid', 'invalid', 'duplicate', 'late', 'not_validated']),
  }),
  about: 'one_scan',
  facts: 'scan',
  counts: ({ is }) => (is === 'duplicate' ? 'value' : undefined),
  predicate({ is }, { validates, findsDuplicates }) {
    switch (is) {
      case 'valid':
        return ({ scan }) => scan.valid;
      case 'invalid':
        return ({ scan }) => !scan.valid;
      case 'duplicate':
        // A scan validated elsewhere never gets the code `duplicate`: its value makes it one if it was seen before.
        return ({ scan, countBefore }) =>
          (findsDuplicates && scan.finding === 'duplicate') ||
          ((!findsDuplicates || isValidated(scan)) && countBefore('value') > 0);
      case 'late':
        return ({ scan }) => scan.late;
      case 'not_validated':
        return ({ scan }) =>
          scan.finding === 'unknown_accepted' ||
          scan.finding === 'unknown_rejected' ||
          (!validates && scan.givenStatus === '-1');
    }
  },
});
