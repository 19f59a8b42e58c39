/** Conditions that compare an answer or a property: with a text, or with a number. */
import { type ConditionOf, isDecimal } from '../../../relay/index.js';
import { settled } from '../../block-kit/text.js';
import type { AnyDraft, Kind } from '../../forms/form.js';
import type { Choice } from '../../forms/inputs.js';
import * as kinds from '../../forms/kinds.js';
import type { FormState } from '../../forms/view-state.js';
import { type ConditionSource, type EnteredCondition, field, stored } from '../condition.js';
import { ignoreCase } from './lists.js';

type How = ConditionOf<'property'>['how'];
type HowOfTexts = ConditionOf<'answer'>['how'];

export const howsOfTexts: readonly Choice<HowOfTexts>[] = [
  ['equals', 'is'],
  ['contains', 'contains'],
  ['above', 'is a number above'],
  ['below', 'is a number below'],
];

const phrases: Readonly<Record<HowOfTexts, string>> = {
  equals: 'is',
  contains: 'contains',
  above: 'is above',
  below: 'is below',
};

/** A comparison in words: `is above 2.5`. */
export function comparedText(comparison: HowOfTexts, to: string): string {
  return `${phrases[comparison]} ${settled(to)}`;
}

const compared = (source: ConditionSource) => stored(source, 'property') ?? stored(source, 'answer');

/** The field for how to compare. Answers and properties share it: the choice stays when the trigger changes. */
export function howField<H extends How>(label: string, offeredHows: readonly Choice<H>[]) {
  const select = kinds.select(offeredHows);
  const asOffered = (comparison: How | undefined) =>
    comparison === undefined
      ? undefined
      : (offeredHows.find(([value]) => value === comparison)?.[0] ?? ('equals' as H));
  const chosenComparison = (state: FormState, name: string) => {
    const line = name.replace(/(?:answer|property)\.how$/, '');
    return asOffered((state.choice(`${line}answer.how`) ?? state.choice(`${line}property.how`)) as How | undefined);
  };
  const kind: Kind<H | undefined, H> = {
    ...select,
    entered: (state, name, before) => chosenComparison(state, name) ?? before,
    read: chosenComparison,
  };
  return field(kind, { label, rerenders: true, from: (source) => asOffered(compared(source)?.how ?? 'equals') });
}

const howIn = (draft: AnyDraft) => draft[`${draft.when}.how`];
const isNumeric = (comparison: unknown) => comparison === 'above' || comparison === 'below';

export const toFields = {
  to: field(kinds.text({ max: 500 }), {
    label: (draft) => (isNumeric(howIn(draft)) ? 'Number' : 'Text'),
    hint: (draft) =>
      isNumeric(howIn(draft))
        ? 'Use a point for decimals: 2.5. A value that is not a number never matches.'
        : undefined,
    rerenders: true,
    shown: (draft) => howIn(draft) !== 'present',
    from: (source) => compared(source)?.to ?? '',
  }),
  'to.folded': field(ignoreCase, {
    label: 'Letter case',
    shown: (draft) => howIn(draft) !== 'present' && !isNumeric(howIn(draft)),
    collapsible: true,
    from: (source) => !(compared(source)?.exact ?? false),
  }),
} as const;

export function readCompared(
  comparison: How,
  { to = '', 'to.folded': folded }: { readonly to?: string; readonly 'to.folded'?: boolean },
  { problem }: EnteredCondition,
) {
  if (isNumeric(comparison) && !isDecimal(to)) {
    problem('to', 'Enter a number. Use a point for decimals: 2.5.');
  } else if (comparison !== 'present' && to === '') {
    problem('to', 'Enter text.');
  }
  return { to, exact: folded === false };
}
