/** The form of one condition of a rule: its trigger, and the fields that the trigger needs. */
import { type Condition, isCounting } from '../../../../../relay/index.js';
import type { Block } from '../../../../block-kit/elements.js';
import { whenGroups, whenOf } from '../../../../channel-posts/describe/describe-rule.js';
import { createForm, type DraftOf, type ValuesOf } from '../../../../forms/form.js';
import * as kinds from '../../../../forms/kinds.js';
import { inputActions } from '../../inputs/kinds.js';
import { comparisonFields } from './comparison-fields.js';
import { field } from './condition-source.js';
import { countingFields } from './counting-fields.js';
import { scanFields } from './scan-fields.js';

const choice = (label: string, groups: typeof whenGroups) =>
  field(kinds.groupedSelect(groups), {
    label,
    rerenders: true,
    from: ({ condition }) => condition && whenOf(condition),
  });

/** What may stand beside another condition: neither every scan, nor what counts scans or waits for them. */
const besideGroups = whenGroups
  .map(
    ([heading, choices]) =>
      [heading, choices.filter(([value]) => value !== 'every' && !isCounting(kindOf(value)))] as const,
  )
  .filter(([, choices]) => choices.length > 0);

function kindOf(choice: string): Condition['kind'] {
  return choice.split(':')[0] as Condition['kind'];
}

const forms = new Map<string, ConditionForm>();

/**
 * The form of one line. The first line has the blocks that the form had when a rule had one condition; the others are
 * numbered.
 */
export function conditionForm(line: number, label: string): ConditionForm {
  const name = `${line} ${label}`;
  const known = forms.get(name) ?? makeForm(line, label);
  forms.set(name, known);
  return known;
}

function makeForm(line: number, label: string) {
  const when = choice(label, line === 0 ? whenGroups : besideGroups);
  return createForm(line === 0 ? 'rule' : `rule.${line}`, inputActions, {
    when,
    ...scanFields,
    ...comparisonFields,
    ...countingFields,
  });
}

export type ConditionForm = ReturnType<typeof makeForm>;
export type ConditionDraft = DraftOf<ConditionForm['fields']>;
export type ConditionValues = ValuesOf<ConditionForm['fields']>;

/** In the order in which they are shown. */
const inOrder = [
  ...(['when', 'values', 'values.folded', 'pattern', 'batches', 'batches.folded', 'days', 'days.zone'] as const),
  ...(['nth', 'nth.of', 'nth.again', 'burst', 'burst.minutes', 'question', 'answer.how'] as const),
  ...(['property', 'property.how', 'to', 'to.folded', 'silence.of'] as const),
  ...(['ids.service', 'ids.user', 'ids.device', 'silence.minutes', 'hours'] as const),
];

export function drawCondition(form: ConditionForm, draft: ConditionDraft): Block[] {
  return form.draw(draft, ...inOrder);
}
