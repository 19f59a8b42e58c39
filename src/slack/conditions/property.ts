/** The condition that a scan has a property, whatever its value or with a value compared to a text or a number. */
import { settled } from '../block-kit/text.js';
import * as kinds from '../forms/kinds.js';
import { field, shownCondition, stored } from './condition.js';
import { comparedText, comparisonField, operandFields, readCompared, textComparisons } from './parts/comparison.js';

export const property = shownCondition('property', {
  heading: 'Answers and properties',
  choices: [['', 'Scan property']],
  phrase: ({ name, how, to }) =>
    `has a property ${settled(name)}${how === 'present' ? '' : ` that ${comparedText(how, to)}`}`,
  fields: {
    property: field(kinds.text({ max: 200, placeholder: 'gps_location', missing: 'Enter the property name.' }), {
      label: 'Property name',
      rerenders: true,
      from: (source) => stored(source, 'property')?.name ?? '',
    }),
    'property.how': comparisonField('Property value', [['present', 'is present'], ...textComparisons]),
    ...operandFields,
  },
  read: ({ property: name = '', 'property.how': how = 'equals', ...values }, entered) => ({
    kind: 'property',
    name,
    how,
    ...readCompared(how, values, entered),
  }),
});
