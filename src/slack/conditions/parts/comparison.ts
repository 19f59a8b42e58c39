/** The fields and phrases of the conditions that compare a response, an answer or a property with a text, pattern or number. */
import { type ConditionOf, isDecimal, patternMistake } from '../../../relay/index.js';
import { settled } from '../../block-kit/text.js';
import type { AnyDraft, Kind } from '../../forms/form.js';
import type { Choice } from '../../forms/inputs.js';
import * as kinds from '../../forms/kinds.js';
import type { FormState } from '../../forms/view-state.js';
import { type ConditionSource, type EnteredCondition, field, stored } from '../condition.js';
import { ignoreCase } from './lists.js';

type Comparison = ConditionOf<'property'>['how'];
type TextComparison = ConditionOf<'answer'>['how'];

export const textComparisons: readonly Choice<TextComparison>[] = [
  ['equals', 'is'],
  ['contains', 'contains'],
  ['matches', 'matches a pattern'],
  ['above', 'is a number above'],
  ['below', 'is a number below'],
];

const phrases: Readonly<Record<TextComparison, string>> = {
  equals: 'is',
  contains: 'contains',
  matches: 'matches',
  above: 'is above',
  below: 'is below',
};

/** A comparison in words: `is above 2.5`. */
export function comparedText(comparison: TextComparison, to: string): string {
  return `${phrases[comparison]} ${settled(to)}`;
}

const storedTest = (source: ConditionSource) =>
  stored(source, 'property') ?? stored(source, 'answer') ?? stored(source, 'response');

/** A field for how to compare, one for each kind. It reads those of all kinds, so a choice outlasts the trigger. */
export function comparisonField<H extends Comparison>(label: string, offeredComparisons: readonly Choice<H>[]) {
  const select = kinds.select(offeredComparisons);
  const asOffered = (comparison: Comparison | undefined) =>
    comparison === undefined
      ? undefined
      : (offeredComparisons.find(([value]) => value === comparison)?.[0] ?? ('equals' as H));
  const chosenComparison = (state: FormState, name: string) => {
    const line = name.replace(/(?:answer|property|response)\.how$/, '');
    const choices = ['answer', 'property', 'response'].map((one) => state.choice(`${line}${one}.how`));
    return asOffered(choices.find((choice) => choice !== undefined) as Comparison | undefined);
  };
  const kind: Kind<H | undefined, H> = {
    ...select,
    entered: (state, name, before) => chosenComparison(state, name) ?? before,
    read: chosenComparison,
  };
  return field(kind, { label, rerenders: true, from: (source) => asOffered(storedTest(source)?.how ?? 'equals') });
}

const comparisonIn = (draft: AnyDraft) => draft[`${draft.when}.how`];
const isPattern = (comparison: unknown) => comparison === 'matches';
const isNumeric = (comparison: unknown) => comparison === 'above' || comparison === 'below';

export const operandFields = {
  to: field(kinds.text({ max: 500 }), {
    label: (draft) => (isNumeric(comparisonIn(draft)) ? 'Number' : isPattern(comparisonIn(draft)) ? 'Pattern' : 'Text'),
    hint: (draft) =>
      isNumeric(comparisonIn(draft))
        ? 'Use a point for decimals: 2.5. A value that is not a number never matches.'
        : isPattern(comparisonIn(draft))
          ? 'Matches anywhere in the text. To match all of it, start with ^ and end with $. RE2 syntax.'
          : undefined,
    rerenders: true,
    shown: (draft) => comparisonIn(draft) !== 'present',
    from: (source) => storedTest(source)?.to ?? '',
  }),
  'to.folded': field(ignoreCase, {
    label: 'Letter case',
    shown: (draft) => comparisonIn(draft) !== 'present' && !isNumeric(comparisonIn(draft)),
    collapsible: true,
    from: (source) => !(storedTest(source)?.exact ?? false),
  }),
} as const;

export function readCompared(
  comparison: Comparison,
  { to = '', 'to.folded': folded }: { readonly to?: string; readonly 'to.folded'?: boolean },
  { problem }: EnteredCondition,
) {
  if (isNumeric(comparison) && !isDecimal(to)) {
    problem('to', 'Enter a number. Use a point for decimals: 2.5.');
  } else if (comparison !== 'present' && to === '') {
    problem('to', isPattern(comparison) ? 'Enter a pattern.' : 'Enter text.');
  }
  const mistake = isPattern(comparison) ? patternMistake(to) : undefined;
  if (mistake !== undefined) {
    problem('to', mistake);
  }
  return { to, exact: folded === false };
}
