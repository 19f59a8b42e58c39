/** The condition that the batch or lot in the GS1 barcode is one of a list. */
import { z } from 'zod';
import { visible } from '../../codereadr/xml/hidden-characters.js';
import { condition } from './condition.js';
import { listPredicate } from './parts/compare.js';
import { either } from './parts/either.js';
import { field } from './parts/field.js';
import { batchIn } from './parts/gs1.js';
import { exact } from './parts/setting-parts.js';

export const batch = condition('batch', {
  about: 'one_scan',
  facts: 'scan',
  heading: 'Barcode',
  menu: ['Specific batches', 'GS1 barcodes with a batch or lot'],
  parts: {
    is: field(
      z
        .array(z.string().min(1).max(100, 'A batch has at most 100 characters.'))
        .min(1, 'Enter at least one batch.')
        .max(1_000, 'Enter at most 1,000 batches.'),
      {
        name: 'batches',
        as: 'lines',
        label: 'Batches',
        hint: 'One batch or lot number per line, as in the GS1 barcode.',
      },
    ),
    exact: field(exact, { name: 'batches.folded', as: 'letter_case', label: 'Letter case' }),
  },
  phrase: ({ is }) => `is of batch ${either(is.map(visible))}`,
  predicate: (listed, { gs1 }) => listPredicate(listed, ({ scan }) => batchIn(gs1(scan.tid))),
});
