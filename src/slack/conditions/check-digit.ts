/** The condition that the barcode's check digit is wrong. */
import { shownCondition } from './condition.js';

export const checkDigit = shownCondition('check_digit', {
  heading: 'Barcode',
  choices: [['', 'Barcodes with a wrong check digit', 'EAN, UPC, GTIN, SSCC']],
  phrase: () => 'has a wrong check digit',
  fields: {},
  read: () => ({ kind: 'check_digit' }),
});
