/** The condition that the barcode is one of a list. */
import { visible } from '../block-kit/text.js';
import { field, shownCondition, stored } from './condition.js';
import { typedLines } from './inputs/barcode-lines.js';
import { barcodes } from './inputs/kinds.js';
import { either } from './parts/either.js';
import { letterCase, readList } from './parts/lists.js';

export const value = shownCondition('value', {
  heading: 'Barcode',
  choices: [['', 'Specific barcodes']],
  phrase: ({ is }) => `has the barcode ${either(is.map(visible))}`,
  fields: {
    values: field(barcodes, {
      label: 'Barcodes',
      hint: 'One per line, exactly as scanned. Type \\x1d for the GS1 separator.',
      from: (source) => typedLines(stored(source, 'value')?.is ?? []) ?? '',
    }),
    'values.folded': letterCase((source) => stored(source, 'value')?.exact ?? true),
  },
  read: ({ values, 'values.folded': folded }, { problem }) => ({
    kind: 'value',
    exact: !folded,
    is: readList(values, ['barcode', 'barcodes'], (message) => problem('values', message)),
  }),
});
