/** The form of one condition of a rule: its trigger, and the fields of the kind that was chosen. The first line asks more. */
import { type Condition, conditionKinds, isCombinable } from '../../../../relay/index.js';
import type { Block } from '../../../block-kit/elements.js';
import { type ConditionSource, field } from '../../../conditions/condition.js';
import { choiceOf, choices, findChoice, triggerGroups } from '../../../conditions/index.js';
import { type AnyDraft, createForm, type DraftOf, type Fields, type Form, type Kind } from '../../../forms/form.js';
import * as kinds from '../../../forms/kinds.js';
import type { Errors, FormState } from '../../../forms/view-state.js';
import { inputActions } from '../../../inputs/kinds.js';

/** The initial trigger of a new rule. */
export const initialCondition: Condition = { kind: 'result', is: 'invalid' };

/** What a rule is about: each scan, or an alert. */
export const ruleKinds = ['scan', 'burst', 'silence'] as const;
export type RuleKind = (typeof ruleKinds)[number];

const ruleKindOfCondition = (kind: Condition['kind'] | undefined): RuleKind =>
  ruleKinds.find((each) => each === kind) ?? 'scan';

/** The first question of the form. A form of an older version asked it in its menu of triggers. */
const about: Kind<RuleKind | undefined, RuleKind> = {
  ...kinds.radio<RuleKind>([
    ['scan', 'Each scan', 'Posts those that you choose, or starts a workflow'],
    ['burst', 'Alert: many not valid', 'Calls people when many are not valid in a short time'],
    ['silence', 'Alert: no scans', 'Calls people when none arrive'],
  ]),
  entered: (state, name, before) =>
    (state.choice(name) as RuleKind | undefined) ??
    ruleKinds.find((each) => each === state.choice('rule.when')) ??
    before,
};

const isAlert = (draft: AnyDraft) => draft.about === 'burst' || draft.about === 'silence';
const choiceIn = (draft: AnyDraft) => findChoice(isAlert(draft) ? draft.about : draft.when);
const fieldsOf = (draft: AnyDraft): Fields => choiceIn(draft)?.shown.fields ?? {};

/** The fields of all kinds: the value entered in a field that two kinds share stays when the trigger changes. */
const fields: Fields = Object.fromEntries(
  choices
    .flatMap(({ shown }) => Object.entries(shown.fields))
    .map(([name, one]) => {
      const isShown: typeof one.shown = (draft) => name in fieldsOf(draft) && (one.shown?.(draft) ?? true);
      return [name, { ...one, shown: isShown }];
    }),
);

const forms = new Map<string, ConditionForm>();

/**
 * The form of one line. The first line begins with what the rule is about, and its block ids have no number. Further
 * lines have their number in the block ids, and offer only conditions that may stand in such a rule.
 */
export function conditionForm(line: number, label: string, ruleKind: RuleKind = 'scan'): ConditionForm {
  const name = `${line} ${label} ${ruleKind}`;
  const known = forms.get(name) ?? makeForm(line, label, ruleKind);
  forms.set(name, known);
  return known;
}

export type ConditionForm = Form<Fields, ConditionSource>;
export type ConditionDraft = DraftOf<Fields>;

function makeForm(line: number, label: string, ruleKind: RuleKind): ConditionForm {
  const isOffered = (kind: Condition['kind']) =>
    line === 0
      ? ruleKindOfCondition(kind) === 'scan'
      : isCombinable(kind) && (ruleKind === 'scan' || conditionKinds[kind].facts !== 'answers');
  const when = field(kinds.groupedSelect(triggerGroups(isOffered)), {
    label,
    rerenders: true,
    shown: (draft) => !isAlert(draft),
    from: ({ condition }) =>
      condition && choiceOf(ruleKindOfCondition(condition.kind) === 'scan' ? condition : initialCondition),
  });
  const first = field(about, {
    label: 'What is this rule about?',
    rerenders: true,
    from: ({ condition }) => ruleKindOfCondition(condition?.kind),
  });
  return line === 0
    ? createForm('rule', inputActions, { about: first, ...fields, when })
    : createForm(`rule.${line}`, inputActions, { ...fields, when });
}

/** What the rule in a form is about. */
export function ruleKindOf(state: FormState): RuleKind {
  return (conditionForm(0, '').entered(state).about as RuleKind | undefined) ?? 'scan';
}

export function drawCondition(form: ConditionForm, draft: ConditionDraft): Block[] {
  const names = ['about', 'when', ...Object.keys(fieldsOf(draft))];
  return form.draw(draft, ...names.filter((name) => name in form.fields));
}

/** The condition in a line. A missing or wrong part adds an error; the condition is then undefined or incomplete. */
export function readCondition(form: ConditionForm, state: FormState, errors: Errors): Condition | undefined {
  const { when, about: _, ...values } = form.read(state, errors);
  const problem = (name: string, message: string) => {
    errors[form.nameOf(name)] ??= message;
  };
  const choice = choiceIn(form.entered(state));
  if (!choice) {
    problem('when', 'Choose a trigger.');
    return undefined;
  }
  return choice.shown.read(values, choice.detail, problem);
}
