/** The form of one condition of a rule: its trigger, and the fields of the kind that was chosen. */
import { type Condition, isCombinable } from '../../../../relay/index.js';
import type { Block } from '../../../block-kit/elements.js';
import { type ConditionSource, field } from '../../../conditions/condition.js';
import { choiceOf, findChoice, shownConditions, triggerGroups } from '../../../conditions/index.js';
import { inputActions } from '../../../conditions/inputs/kinds.js';
import { createForm, type DraftOf, type Fields, type Form } from '../../../forms/form.js';
import * as kinds from '../../../forms/kinds.js';
import type { Errors, FormState } from '../../../forms/view-state.js';

const fieldsOf = (choiceKey: unknown): Fields => findChoice(choiceKey)?.shown.fields ?? {};

/** The fields of all kinds: the value entered in a field that two kinds share stays when the trigger changes. */
const fields: Fields = Object.fromEntries(
  Object.values(shownConditions)
    .flatMap((shownCondition) => Object.entries<Fields[string]>(shownCondition.fields))
    .map(([name, one]) => {
      const isShown: typeof one.shown = (draft) => name in fieldsOf(draft.when) && (one.shown?.(draft) ?? true);
      return [name, { ...one, shown: isShown }];
    }),
);

const trigger = (label: string, isOffered: (kind: Condition['kind']) => boolean) =>
  field(kinds.groupedSelect(triggerGroups(isOffered)), {
    label,
    rerenders: true,
    from: ({ condition }: ConditionSource) => condition && choiceOf(condition),
  });

const forms = new Map<string, ConditionForm>();

/**
 * The form of one line. The first line offers every trigger, and its block ids have no number. Further lines have their
 * number in the block ids, and offer only conditions that may stand beside another.
 */
export function conditionForm(line: number, label: string): ConditionForm {
  const name = `${line} ${label}`;
  const known = forms.get(name) ?? makeForm(line, label);
  forms.set(name, known);
  return known;
}

export type ConditionForm = Form<Fields, ConditionSource>;
export type ConditionDraft = DraftOf<Fields>;

function makeForm(line: number, label: string): ConditionForm {
  const when = trigger(label, line === 0 ? () => true : isCombinable);
  return createForm(line === 0 ? 'rule' : `rule.${line}`, inputActions, { ...fields, when });
}

export function drawCondition(form: ConditionForm, draft: ConditionDraft): Block[] {
  return form.draw(draft, 'when', ...Object.keys(fieldsOf(draft.when)));
}

/** The condition in a line. A missing or wrong part adds an error; the condition is then undefined or incomplete. */
export function readCondition(form: ConditionForm, state: FormState, errors: Errors): Condition | undefined {
  const { when, ...values } = form.read(state, errors);
  const problem = (name: string, message: string) => {
    errors[form.nameOf(name)] = message;
  };
  const choice = findChoice(when);
  if (!choice) {
    problem('when', 'Choose a trigger.');
    return undefined;
  }
  return choice.shown.read(values, { detail: choice.detail, problem });
}
