/** The condition on the response to the scan: a text, a pattern, above or below a number. */
import { shownCondition } from './condition.js';
import { comparedText, comparisonField, operandFields, readCompared, textComparisons } from './parts/comparison.js';

export const response = shownCondition('response', {
  heading: 'Result',
  choices: [['', 'Response', 'The text that the device shows: VIP, Allergy …']],
  phrase: ({ how, to }) => `has a response that ${comparedText(how, to)}`,
  fields: {
    'response.how': comparisonField('Response', textComparisons),
    ...operandFields,
  },
  read: ({ 'response.how': how = 'equals', ...values }, entered) => ({
    kind: 'response',
    how,
    ...readCompared(how, values, entered),
  }),
});
