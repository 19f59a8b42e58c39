/** The condition on the response to the scan, which the device shows: a text, a pattern, above or below a number. */
import { condition } from './condition.js';
import { comparisonLabels, comparisonTest } from './parts/compare.js';
import { comparedText, operand } from './parts/comparison.js';
import { oneOf } from './parts/field.js';

export const response = condition('response', {
  about: 'one_scan',
  facts: 'scan',
  heading: 'Result',
  menu: ['Response', 'The text that the device shows: VIP, Allergy …'],
  parts: {
    how: oneOf(comparisonLabels, { name: 'response.how', label: 'Response', initial: 'equals' }, 'comparison'),
    ...operand,
  },
  phrase: ({ how, to }) => `has a response that ${comparedText(how, to)}`,
  predicate(condition) {
    const fits = comparisonTest(condition);
    return ({ scan }) => fits(scan.text);
  },
});
