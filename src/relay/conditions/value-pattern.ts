/** The condition that the barcode matches a pattern. A pattern that cannot be compiled matches nothing. */
import { visible } from '../../codereadr/xml/hidden-characters.js';
import { condition, neverMatches } from './condition.js';
import { field } from './parts/field.js';
import { compilePattern } from './parts/pattern.js';
import { pattern } from './parts/setting-parts.js';

export const valuePattern = condition('value_pattern', {
  about: 'one_scan',
  facts: 'scan',
  heading: 'Barcode',
  menu: ['Barcodes that match a pattern'],
  parts: {
    pattern: field(pattern, {
      as: 'pattern',
      label: 'Pattern',
      hint: 'Matches anywhere in the barcode. To match the whole barcode, start with ^ and end with $. RE2 syntax.',
      placeholder: '^VIP-',
    }),
  },
  phrase: (condition) => `has a barcode that matches ${visible(condition.pattern)}`,
  predicate(condition) {
    try {
      const matches = compilePattern(condition.pattern);
      return ({ scan }) => matches(scan.tid);
    } catch {
      return neverMatches;
    }
  },
});
