/** The condition that the relay never saw the barcode before. */
import { condition } from './condition.js';

export const firstSeen = condition('first_seen', {
  about: 'one_scan',
  facts: 'counters',
  heading: 'Barcode',
  menu: ['Barcodes scanned for the first time'],
  parts: {},
  phrase: () => 'has a barcode scanned for the first time',
  counts: () => 'value',
  predicate: () => (facts) => facts.countBefore('value') === 0,
});
