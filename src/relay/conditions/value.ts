/** The condition that the barcode is one of a list. */
import { z } from 'zod';
import { visible } from '../../codereadr/xml/hidden-characters.js';
import { condition } from './condition.js';
import { listPredicate } from './parts/compare.js';
import { either } from './parts/either.js';
import { field } from './parts/field.js';
import { exact } from './parts/setting-parts.js';

export const value = condition('value', {
  about: 'one_scan',
  facts: 'scan',
  heading: 'Barcode',
  menu: ['Specific barcodes'],
  parts: {
    is: field(
      z.array(z.string().min(1)).min(1, 'Enter at least one barcode.').max(1_000, 'Enter at most 1,000 barcodes.'),
      {
        name: 'values',
        as: 'lines',
        label: 'Barcodes',
        hint: 'One per line, exactly as scanned. Type \\x1d for the GS1 separator.',
      },
    ),
    exact: field(exact, { name: 'values.folded', as: 'letter_case', label: 'Letter case' }),
  },
  phrase: ({ is }) => `has the barcode ${either(is.map(visible))}`,
  predicate: (listed) => listPredicate(listed, ({ scan }) => scan.tid),
});
