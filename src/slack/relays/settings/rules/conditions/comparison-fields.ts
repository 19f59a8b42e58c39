/** The fields of conditions that compare an answer or a property. */
import type { ConditionOf } from '../../../../../relay/index.js';
import { type AnyDraft, type Kind, when } from '../../../../forms/form.js';
import type { Choice } from '../../../../forms/inputs.js';
import * as kinds from '../../../../forms/kinds.js';
import { idOption } from '../../../../operations/form/resources.js';
import { type ConditionSource, field, stored } from './condition-source.js';
import { ignoreCase } from './scan-fields.js';

type Comparison = ConditionOf<'property'>['how'];

const compared = (source: ConditionSource) => stored(source, 'property') ?? stored(source, 'answer');

const comparisons: readonly Choice<Comparison>[] = [
  ['equals', 'is'],
  ['contains', 'contains'],
  ['above', 'is a number above'],
  ['below', 'is a number below'],
];

/** Answers and properties are compared alike: the choice stays when the trigger changes. */
function comparison(choices: readonly Choice<Comparison>[]): Kind<Comparison | undefined, Comparison> {
  const select = kinds.select(choices);
  const offered = (draft: Comparison | undefined) =>
    draft === undefined || choices.some(([value]) => value === draft) ? draft : 'equals';
  return {
    ...select,
    draw: (frame, draft) => select.draw(frame, offered(draft)),
    entered(state, name, before) {
      const line = name.replace(/(?:answer|property)\.how$/, '');
      const chosen = state.choice(`${line}answer.how`) ?? state.choice(`${line}property.how`);
      return (chosen as Comparison | undefined) ?? before;
    },
  };
}

function comparisonIn(draft: AnyDraft): unknown {
  const chosen = draft[draft.when === 'answer' ? 'answer.how' : 'property.how'];
  return draft.when === 'answer' && chosen === 'present' ? 'equals' : chosen;
}
const comparesText = (draft: AnyDraft) =>
  draft.when === 'answer' || (draft.when === 'property' && comparisonIn(draft) !== 'present');
const comparesNumber = (draft: AnyDraft) => comparisonIn(draft) === 'above' || comparisonIn(draft) === 'below';

export const comparisonFields = {
  question: field(kinds.picker({ action: 'relay.pick.question', placeholder: 'Find a question' }), {
    label: 'Question',
    hint: 'Leave blank for any question.',
    optional: true,
    shown: when('when', 'answer'),
    from(source) {
      const id = stored(source, 'answer')?.questionId;
      return id === undefined ? undefined : (source.nameOf('question', id) ?? idOption('question', id));
    },
  }),
  'answer.how': field(comparison(comparisons), {
    label: 'Answer',
    rerenders: true,
    shown: when('when', 'answer'),
    from: (source) => compared(source)?.how ?? 'equals',
  }),
  property: field(kinds.text({ max: 200, placeholder: 'gps_location', missing: 'Enter the property name.' }), {
    label: 'Property name',
    rerenders: true,
    shown: when('when', 'property'),
    from: (source) => stored(source, 'property')?.name ?? '',
  }),
  'property.how': field(comparison([['present', 'is present'], ...comparisons]), {
    label: 'Property value',
    rerenders: true,
    shown: when('when', 'property'),
    from: (source) => compared(source)?.how ?? 'equals',
  }),
  to: field(kinds.text({ max: 500 }), {
    label: (draft) => (comparesNumber(draft) ? 'Number' : 'Text'),
    hint: (draft) =>
      comparesNumber(draft) ? 'Use a point for decimals: 2.5. A value that is not a number never matches.' : undefined,
    rerenders: true,
    shown: comparesText,
    from: (source) => compared(source)?.to ?? '',
  }),
  'to.folded': field(ignoreCase, {
    label: 'Letter case',
    shown: (draft) => comparesText(draft) && !comparesNumber(draft),
    from: (source) => !(compared(source)?.exact ?? false),
  }),
} as const;
