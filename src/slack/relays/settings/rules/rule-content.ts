/** What the rule form holds: the fields of the rule, and a condition in each line. Pure. */
import {
  areWholeWeek,
  type Condition,
  hasIncidents,
  type RelaySettings,
  type Rule,
  ruleProblem,
  ruleSchema,
  storedRule,
} from '../../../../relay/index.js';
import type { ValuesOf } from '../../../forms/form.js';
import { agreementOf } from '../../../forms/form-channel.js';
import { FormProblem } from '../../../forms/settings-form.js';
import type { Errors, FormState } from '../../../forms/view-state.js';
import { inputActions } from '../../../inputs/kinds.js';
import { type ConditionDraft, readCondition, ruleKindOf } from './condition-form.js';
import { type RuleDraft, type RuleFormSource, ruleForm } from './fields.js';
import { formsOf, linesFor, type RuleLines, shownConditions } from './rule-lines.js';

export interface RuleContent {
  readonly rule: Omit<RuleDraft, 'isSet' | 'groupsOffered'>;
  /** The condition of each line, by the line's number. */
  readonly conditions: ReadonlyMap<number, ConditionDraft>;
}

/** The values of the form. A collapsed field is absent, and keeps its value. */
export interface EnteredRule {
  readonly values: ValuesOf<typeof ruleForm.fields>;
  readonly when: readonly Condition[];
  readonly unless: readonly Condition[];
  readonly channel: string;
  /** Whether the channel may be one that another organization reads. */
  readonly isAgreed: boolean;
  /** The id of the trigger whose URL was entered. */
  readonly trigger?: string | undefined;
  /** The ids of the rule and, beside a relay's first rule, of the one that goes on posting. */
  readonly ids?: { readonly rule: string; readonly others: string };
}

export const agreement = agreementOf('rule', inputActions.field);

export const contentForm = (lines: RuleLines) => ({
  nameOf: ruleForm.nameOf,

  draft(source: RuleFormSource): RuleContent {
    const stored = shownConditions(source.rule);
    const numbers = linesFor(stored);
    const conditionAt = (line: number) =>
      stored.when[numbers.when.indexOf(line)] ?? stored.unless[numbers.unless.indexOf(line)];
    const conditions = formsOf(lines).map(
      ({ line, form }) => [line, form.draft({ ...source, condition: conditionAt(line) })] as const,
    );
    return { rule: ruleForm.draft(source), conditions: new Map(conditions) };
  },

  entered: (state: FormState, { rule, conditions }: RuleContent): RuleContent => ({
    rule: ruleForm.entered(state, rule),
    conditions: new Map(
      formsOf(lines).map(({ line, form }) => [line, form.entered(state, conditions.get(line))] as const),
    ),
  }),

  read(state: FormState, errors: Errors): EnteredRule {
    const values = ruleForm.read(state, errors);
    const read = formsOf(lines, ruleKindOf(state)).map(
      (one) => [one.kind, readCondition(one.form, state, errors)] as const,
    );
    const conditionsOf = (kind: string) => read.flatMap(([of, condition]) => (of === kind ? (condition ?? []) : []));
    const [when, unless] = [conditionsOf('when'), conditionsOf('unless')];
    const { channel = '', quiet, escalate, 'quiet.hours': quietHours } = values;
    const { 'escalate.users': users = [], 'escalate.groups': groups = [] } = values;
    const action = actionOf({ values, when });
    const isComplete = read.every(([, condition]) => condition !== undefined) && Object.keys(errors).length === 0;
    const problem = isComplete ? ruleProblem({ when: [...when], unless: [...unless], action, channel }) : undefined;
    if (problem !== undefined) {
      errors['rule.about'] = problem;
    }
    if (escalate === true && users.length + groups.length === 0) {
      errors[ruleForm.nameOf('escalate.users')] ??= 'Choose at least one person or user group.';
    }
    if (quiet === true && quietHours && areWholeWeek(quietHours)) {
      errors[`${ruleForm.nameOf('quiet.hours')}.to`] =
        'Quiet hours of the whole week never end. Turn the rule off instead.';
    }
    return { values, when, unless, channel, isAgreed: agreement.isAgreed(state, channel) };
  },
});

/** Alerts are posted. */
export function actionOf({ values, when }: Pick<EnteredRule, 'values' | 'when'>): Rule['action'] {
  return hasIncidents({ when: [...when] }) ? 'post' : (values.action ?? 'post');
}

/** The entered rule. `before`: the stored one, whose values collapsed fields keep. @throws FormProblem */
export function ruleOf(entered: EnteredRule, before: Rule | undefined, id: string): Rule {
  const { values, when, unless } = entered;
  const written = ruleForm.write<{ readonly rule: Partial<Rule> }>({ rule: before ?? {} }, values).rule;
  const { channel = '', quiet, escalate, broadcast, workflow, ...rule } = written;
  const action = actionOf(entered);
  const isAlert = hasIncidents({ when: [...when] });
  const parsed = ruleSchema.safeParse({
    ...rule,
    id,
    when,
    unless,
    action,
    channel,
    workflow:
      action === 'workflow' ? { ...workflow, trigger: entered.trigger ?? before?.workflow?.trigger } : undefined,
    how: isAlert ? 'each' : rule.how,
    quiet: values.quiet === false ? undefined : quiet,
    escalate: isAlert && values.escalate !== false ? escalate : undefined,
    broadcast: (isAlert && broadcast) || undefined,
  });
  if (!parsed.success) {
    throw new FormProblem('Not saved: the rule’s conditions don’t go together.', 'about', { cause: parsed.error });
  }
  return parsed.data;
}

export function ruleIn({ rules }: RelaySettings, id: string | undefined): Rule | undefined {
  return rules.find((each) => each.id === id);
}

/** What the form of a rule overwrites: not whether the rule is on, which is set in the list. */
export function overwrittenRule(settings: RelaySettings, id: string | undefined): unknown {
  const found = ruleIn(settings, id);
  const { on: _, ...rule } = found ? (storedRule(found) as Partial<Rule>) : {};
  return found && rule;
}
