/** The barcode looks like an EAN-8, UPC-A, EAN-13, GTIN-14 or SSCC, and its last digit does not fit. */
import { z } from 'zod';
import { checkDigitFits } from '../../gs1/check-digit.js';
import { conditionKind } from './condition.js';

export const checkDigit = conditionKind({
  schema: z.object({ kind: z.literal('check_digit') }),
  about: 'one_scan',
  facts: 'scan',
  predicate: () => (facts) => checkDigitFits(facts.scan.tid) === false,
});
