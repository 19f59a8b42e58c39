/** The barcode looks like an EAN-8, UPC-A, EAN-13, GTIN-14 or SSCC, and its last digit does not fit. */
import { checkDigitFits } from '../../gs1/check-digit.js';
import { condition } from './condition.js';

export const checkDigit = condition('check_digit', {
  about: 'one_scan',
  facts: 'scan',
  heading: 'Barcode',
  menu: ['Barcodes with a wrong check digit', 'EAN, UPC, GTIN, SSCC'],
  parts: {},
  phrase: () => 'has a wrong check digit',
  predicate:
    () =>
    ({ scan }) =>
      checkDigitFits(scan.tid) === false,
});
