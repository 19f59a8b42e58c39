/** Reads the rule form, for saving or preview: a rule, or errors by field. A collapsed field keeps its value. */
import { areWholeWeek, hasIncidents, type Rule, ruleProblem, ruleSchema } from '../../../../relay/index.js';
import { FormProblem } from '../../../forms/settings-form.js';
import type { Errors, FormState } from '../../../forms/view-state.js';
import { conditionForm, readCondition } from './condition-form.js';
import { ruleForm } from './fields.js';
import { sharedBlock } from './rule-form.js';
import { formsOf, type LineKind, type RuleLines } from './rule-lines.js';
import { noTriggerText } from './workflow-fields.js';

/** Makes the entered rule. `before`: the stored rule, whose values collapsed fields keep; undefined for a new rule. */
export type RuleChange = (before: Rule | undefined, id: string) => Rule;

export type RuleRead =
  | { readonly errors: Errors }
  | {
      readonly change: RuleChange;
      /** The rule's channel; empty for a rule that does not post. */
      readonly channel: string;
      /** The URL of the workflow's trigger, if it was entered. */
      readonly url?: string;
      readonly sharedIsFine: boolean;
      /** Whether the relay goes on posting, beside its first rule, what it posts without rules. */
      readonly keepsPosting: boolean;
    };

/** The trigger of a workflow. `isSet`: one is stored, and stays if no URL was entered. */
export interface TriggerSource {
  /** The id of the trigger with this URL. */
  idOf(url: string): string | undefined;
  readonly isSet: boolean;
}

export function readRule(state: FormState, lines: RuleLines, triggers: TriggerSource): RuleRead {
  const errors: Errors = {};
  const values = ruleForm.read(state, errors);
  const isSilence = state.choice(conditionForm(0, '').nameOf('when')) === 'silence';
  const readForms = formsOf(lines, isSilence).map(({ kind, form }) => ({
    kind,
    form,
    condition: readCondition(form, state, errors),
  }));
  const conditionsOf = (kind: LineKind) => readForms.flatMap((one) => (one.kind === kind ? (one.condition ?? []) : []));
  const { channel = '', quiet, action = 'post', escalate } = values;
  const { 'escalate.users': escalateUsers = [], 'escalate.groups': escalateGroups = [] } = values;
  const chosenFields = { when: conditionsOf('when'), unless: conditionsOf('unless'), action, channel };
  const problem = readForms.some(({ condition }) => condition === undefined) ? undefined : ruleProblem(chosenFields);
  if (problem !== undefined && Object.keys(errors).length === 0) {
    errors[readForms[0]!.form.nameOf('when')] = problem;
  }
  const { 'workflow.url': url = '' } = values;
  const trigger = triggers.idOf(url);
  if (action === 'workflow' && trigger === undefined && !(triggers.isSet && url.trim() === '')) {
    errors[ruleForm.nameOf('workflow.url')] = noTriggerText;
  }
  if (escalate === true && escalateUsers.length + escalateGroups.length === 0) {
    errors[ruleForm.nameOf('escalate.users')] ??= 'Choose at least one person or user group.';
  }
  const quietHours = values['quiet.hours'];
  if (quiet === true && quietHours && areWholeWeek(quietHours)) {
    errors[`${ruleForm.nameOf('quiet.hours')}.to`] =
      'Quiet hours of the whole week never end. Turn the rule off instead.';
  }
  if (Object.keys(errors).length > 0 || readForms.some(({ condition }) => condition === undefined)) {
    return { errors };
  }
  return {
    channel,
    ...(action === 'workflow' && trigger !== undefined ? { url } : {}),
    sharedIsFine: state.ticked(sharedBlock(channel)),
    keepsPosting: (values['others.all'] ?? values['others.invalid']) !== 'only',
    change: (ruleBefore, id) => {
      const writtenRule = ruleForm.write<{ readonly rule: Partial<Rule> }>({ rule: ruleBefore ?? {} }, values).rule;
      const { channel: target = '', quiet: hours, escalate: escalates, broadcast, workflow, ...rule } = writtenRule;
      const workflowStart = { ...workflow, trigger: trigger ?? ruleBefore?.workflow?.trigger };
      const parsed = ruleSchema.safeParse({
        ...rule,
        ...{ id, when: chosenFields.when, unless: chosenFields.unless, channel: target },
        workflow: action === 'workflow' ? workflowStart : undefined,
        how: hasIncidents(chosenFields) ? 'each' : rule.how,
        quiet: quiet === false ? undefined : hours,
        escalate: escalate !== false && hasIncidents(chosenFields) ? escalates : undefined,
        broadcast: (broadcast && hasIncidents(chosenFields)) || undefined,
      });
      if (!parsed.success) {
        throw new FormProblem('Not saved: the rule’s conditions don’t go together.', 'channel', {
          cause: parsed.error,
        });
      }
      return parsed.data;
    },
  };
}
