/** The condition that somebody watches the barcode. */
import { shownCondition } from './condition.js';

export const watched = shownCondition('watched', {
  heading: 'Barcode',
  choices: [['', 'Watched barcodes', 'Added with /scandesk watch']],
  phrase: () => 'has a watched barcode',
  fields: {},
  read: () => ({ kind: 'watched' }),
});
