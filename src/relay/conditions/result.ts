/** The condition on the scan's result: each result is a choice of its own. */
import { isValidated } from '../../scans/received/received-scan-rows.js';
import { condition } from './condition.js';
import { inMenu } from './parts/field.js';

const results = {
  invalid: 'Scans that are not valid',
  valid: 'Valid scans',
  duplicate: 'Duplicates',
  late: 'Late scans',
  not_validated: 'Scans that couldn’t be checked',
};

const phrases: Readonly<Record<keyof typeof results, string>> = {
  invalid: 'is not valid',
  valid: 'is valid',
  duplicate: 'is a duplicate',
  late: 'is late',
  not_validated: 'couldn’t be checked',
};

export const result = condition('result', {
  about: 'one_scan',
  facts: 'scan',
  heading: 'Result',
  menu: results,
  parts: { is: inMenu(results) },
  phrase: ({ is }) => phrases[is],
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
