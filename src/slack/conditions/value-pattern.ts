/** The condition that the barcode matches a pattern. */
import { conditionKinds } from '../../relay/index.js';
import { visible } from '../block-kit/text.js';
import { boundsOf } from '../forms/bounds.js';
import { field, shownCondition, stored } from './condition.js';
import { pattern } from './inputs/kinds.js';

export const valuePattern = shownCondition('value_pattern', {
  heading: 'Barcode',
  choices: [['', 'Barcodes that match a pattern']],
  phrase: (condition) => `has a barcode that matches ${visible(condition.pattern)}`,
  fields: {
    pattern: field(pattern({ ...boundsOf(conditionKinds.value_pattern.schema.shape.pattern), placeholder: '^VIP-' }), {
      label: 'Pattern',
      hint: 'Matches anywhere in the barcode. To match the whole barcode, start with ^ and end with $. RE2 syntax.',
      rerenders: true,
      from: (source) => stored(source, 'value_pattern')?.pattern ?? '',
    }),
  },
  read: (values) => ({ kind: 'value_pattern', pattern: values.pattern ?? '' }),
});
