/** How conditions compare a text: with a list, a text, a number or a pattern. */
import { fold } from '../../../codereadr/barcode-equality.js';
import type { Predicate, ScanFacts } from '../condition.js';
import { compareDecimals } from './decimal.js';
import { compilePattern, patternProblem } from './pattern.js';

/** The ways to compare a text. */
export const comparisonLabels = {
  equals: 'is',
  contains: 'contains',
  matches: 'matches a pattern',
  above: 'is a number above',
  below: 'is a number below',
};

export interface Comparison {
  readonly how: keyof typeof comparisonLabels;
  readonly to: string;
  readonly exact: boolean;
}

export function listPredicate(
  { is, exact }: { readonly is: readonly string[]; readonly exact: boolean },
  factOf: (facts: ScanFacts) => string | undefined,
): Predicate {
  const known = new Set(exact ? is : is.map(fold));
  return (facts) => {
    const text = factOf(facts);
    return text !== undefined && known.has(exact ? text : fold(text));
  };
}

/** The test of a comparison. A text that is no number is neither above nor below one; no text matches a broken pattern. */
export function comparisonTest({ how, to, exact }: Comparison): (text: string) => boolean {
  const toSpelling = exact ? (text: string) => text : fold;
  const comparedText = toSpelling(to);
  switch (how) {
    case 'equals':
      return (text) => toSpelling(text) === comparedText;
    case 'contains':
      return (text) => toSpelling(text).includes(comparedText);
    case 'matches':
      return patternProblem(to) === undefined ? compilePattern(to, exact) : () => false;
    case 'above':
      return (text) => (compareDecimals(text, to) ?? 0) > 0;
    case 'below':
      return (text) => (compareDecimals(text, to) ?? 0) < 0;
  }
}
