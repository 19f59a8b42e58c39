/** The condition that the relay never saw the barcode before. */
import { shownCondition } from './condition.js';

export const firstSeen = shownCondition('first_seen', {
  heading: 'Barcode',
  choices: [['', 'Barcodes scanned for the first time']],
  phrase: () => 'has a barcode scanned for the first time',
  fields: {},
  read: () => ({ kind: 'first_seen' }),
});
