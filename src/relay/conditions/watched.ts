/** The condition that somebody watches the barcode: `/scandesk watch`. */
import { condition } from './condition.js';

export const watched = condition('watched', {
  about: 'one_scan',
  facts: 'watches',
  heading: 'Barcode',
  menu: ['Watched barcodes', 'Added with /scandesk watch'],
  parts: {},
  phrase: () => 'has a watched barcode',
  predicate: () => (facts) => facts.watched,
});
