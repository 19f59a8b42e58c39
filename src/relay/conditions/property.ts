/** The condition that a scan property is there, or that its value equals, contains, is above or is below a text. */
import { z } from 'zod';
import { settled } from '../../codereadr/xml/hidden-characters.js';
import { condition } from './condition.js';
import { comparisonLabels, comparisonTest } from './parts/compare.js';
import { comparedText, operand } from './parts/comparison.js';
import { field, oneOf } from './parts/field.js';

const labels = { present: 'is present', ...comparisonLabels };

export const property = condition('property', {
  about: 'one_scan',
  facts: 'properties',
  heading: 'Answers and properties',
  menu: ['Scan property'],
  parts: {
    name: field(z.string().min(1), {
      name: 'property',
      label: 'Property name',
      placeholder: 'gps_location',
      missing: 'Enter the property name.',
      max: 200,
    }),
    how: oneOf(labels, { name: 'property.how', label: 'Property value', initial: 'equals' }, 'comparison'),
    ...operand,
  },
  phrase: ({ name, how, to }) =>
    `has a property ${settled(name)}${how === 'present' ? '' : ` that ${comparedText(how, to)}`}`,
  predicate({ name, how, to, exact }) {
    const fits = how === 'present' ? () => true : comparisonTest({ how, to, exact });
    return ({ scan }) => scan.properties.some((one) => one.name === name && fits(one.value));
  },
});
