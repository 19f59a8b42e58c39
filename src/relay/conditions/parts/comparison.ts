/** The parts and words of the conditions that compare a response, an answer or a property with a text, pattern or number. */
import { z } from 'zod';
import { settled } from '../../../codereadr/xml/hidden-characters.js';
import type { Comparison } from './compare.js';
import { isDecimal } from './decimal.js';
import { patternMistake } from './describe-pattern-error.js';
import { type Entered, field } from './field.js';

type How = Comparison['how'];

const phrases: Readonly<Record<How, string>> = {
  equals: 'is',
  contains: 'contains',
  matches: 'matches',
  above: 'is above',
  below: 'is below',
};

/** A comparison in words: `is above 2.5`. */
export function comparedText(how: How, to: string): string {
  return `${phrases[how]} ${settled(to)}`;
}

const comparisonIn = (entered: Entered) => entered[`${entered.when}.how`];
const isNumeric = (comparison: unknown) => comparison === 'above' || comparison === 'below';

function problemOf({ how, to }: { readonly how: How | 'present'; readonly to: string }) {
  if (isNumeric(how)) {
    return isDecimal(to) ? undefined : 'Enter a number. Use a point for decimals: 2.5.';
  }
  if (how === 'matches') {
    return to === '' ? 'Enter a pattern.' : patternMistake(to);
  }
  return how === 'present' || to !== '' ? undefined : 'Enter text.';
}

/** The part `to`, and whether case counts. */
export const operand = {
  to: field(z.string().default(''), {
    label: (entered) =>
      isNumeric(comparisonIn(entered)) ? 'Number' : comparisonIn(entered) === 'matches' ? 'Pattern' : 'Text',
    hint: (entered) =>
      isNumeric(comparisonIn(entered))
        ? 'Use a point for decimals: 2.5. A value that is not a number never matches.'
        : comparisonIn(entered) === 'matches'
          ? 'Matches anywhere in the text. To match all of it, start with ^ and end with $. RE2 syntax.'
          : undefined,
    max: 500,
    problem: problemOf,
    shown: (entered) => comparisonIn(entered) !== 'present',
  }),
  exact: field(z.boolean().default(false), {
    name: 'to.folded',
    as: 'letter_case',
    label: 'Letter case',
    shown: (entered) => comparisonIn(entered) !== 'present' && !isNumeric(comparisonIn(entered)),
    collapsible: true,
  }),
};
