/** The condition that the batch or lot of a GS1 barcode is one of a list. */
import { visible } from '../block-kit/text.js';
import { field, shownCondition, stored } from './condition.js';
import { typedLines } from './inputs/barcode-lines.js';
import { barcodes } from './inputs/kinds.js';
import { either } from './parts/either.js';
import { letterCase, readList } from './parts/lists.js';

export const batch = shownCondition('batch', {
  heading: 'Barcode',
  choices: [['', 'Specific batches', 'GS1 barcodes with a batch or lot']],
  phrase: ({ is }) => `is of batch ${either(is.map(visible))}`,
  fields: {
    batches: field(barcodes, {
      label: 'Batches',
      hint: 'One batch or lot number per line, as in the GS1 barcode.',
      from: (source) => typedLines(stored(source, 'batch')?.is ?? []) ?? '',
    }),
    'batches.folded': letterCase((source) => stored(source, 'batch')?.exact ?? true),
  },
  read: ({ batches, 'batches.folded': folded }, { problem }) => ({
    kind: 'batch',
    exact: !folded,
    is: readList(batches, ['batch', 'batches'], (message) => problem('batches', message)),
  }),
});
