/** Reads the rule form, for saving or preview: a rule, or errors by field. A collapsed field keeps its value. */

import { countOf } from '../../../../english.js';
import {
  areWholeWeek,
  type Condition,
  conditionSchema,
  hasIncidents,
  isDecimal,
  type Rule,
  ruleProblem,
  ruleSchema,
} from '../../../../relay/index.js';
import { boundsOf, variantOf } from '../../../forms/bounds.js';
import type { Errors, FormState } from '../../../forms/view-state.js';
import { SettingsRejectedError } from '../etag.js';
import { type ConditionForm, type ConditionValues, conditionForm } from './conditions/condition-form.js';
import { ruleForm } from './fields.js';
import { sharedBlock } from './rule-form.js';
import { formsOf, type LineKind, type RuleLines } from './rule-lines.js';

/** From the former rule (none for a new one) to the new one. */
export type RuleChange = (before: Rule | undefined, id: string) => Rule;

export type RuleRead =
  | { readonly errors: Errors }
  | {
      readonly change: RuleChange;
      readonly channel: string;
      readonly sharedIsFine: boolean;
      /** Of a first rule: what the relay posts without rules goes on being posted. */
      readonly keepsPosting: boolean;
    };

export function readRule(state: FormState, lines: RuleLines): RuleRead {
  const errors: Errors = {};
  const values = ruleForm.read(state, errors);
  const silent = state.choice(conditionForm(0, '').nameOf('when')) === 'silence';
  const read = formsOf(lines, silent).map(({ kind, form }) => ({
    kind,
    form,
    condition: readCondition(form, state, errors),
  }));
  const found = (kind: LineKind) => read.flatMap((one) => (one.kind === kind ? (one.condition ?? []) : []));
  const { channel = '', how = 'each', digest, users, groups, name, quiet, action } = values;
  const { escalate, 'escalate.users': escalateUsers = [], 'escalate.groups': escalateGroups } = values;
  const chosen = { when: found('when'), unless: found('unless'), action: action ?? 'post', channel };
  const problem = read.some(({ condition }) => condition === undefined) ? undefined : ruleProblem(chosen);
  if (problem !== undefined && Object.keys(errors).length === 0) {
    errors[read[0]!.form.nameOf('when')] = problem;
  }
  if (escalate === true && escalateUsers.length + (escalateGroups?.length ?? 0) === 0) {
    errors[ruleForm.nameOf('escalate.users')] ??= 'Choose at least one person or user group.';
  }
  const quietHours = values['quiet.hours'];
  if (quiet === true && quietHours && areWholeWeek(quietHours)) {
    errors[`${ruleForm.nameOf('quiet.hours')}.to`] =
      'Quiet hours of the whole week never end. Turn the rule off instead.';
  }
  if (Object.keys(errors).length > 0 || read.some(({ condition }) => condition === undefined)) {
    return { errors };
  }
  return {
    channel,
    sharedIsFine: state.ticked(sharedBlock(channel)),
    keepsPosting: (values['others.all'] ?? values['others.invalid']) !== 'only',
    change: (before, id) => {
      const { quiet: quietBefore, escalate: escalateBefore, broadcast: broadcastBefore, ...was } = before ?? {};
      const hours = quiet === undefined ? quietBefore : quietHours;
      const escalates =
        escalate === undefined
          ? escalateBefore
          : escalate
            ? {
                minutes: values['escalate.minutes'] ?? escalateBefore?.minutes,
                ...{ users: escalateUsers, groups: escalateGroups ?? escalateBefore?.groups ?? [] },
              }
            : undefined;
      const parsed = ruleSchema.safeParse({
        ...was,
        id,
        when: chosen.when,
        unless: chosen.unless,
        action: action ?? before?.action ?? 'post',
        channel: channel === '' ? (before?.channel ?? '') : channel,
        mention: { users: users ?? before?.mention.users ?? [], groups: groups ?? before?.mention.groups ?? [] },
        how: values.how === undefined ? (before?.how ?? 'each') : how,
        ...(digest === undefined ? {} : { digestMinutes: digest }),
        ...(name === undefined ? {} : { name }),
        ...(hours ? { quiet: hours } : {}),
        ...(escalates && hasIncidents(chosen) ? { escalate: escalates } : {}),
        ...((values.broadcast ?? broadcastBefore) && hasIncidents(chosen) ? { broadcast: true } : {}),
      });
      if (!parsed.success) {
        throw new SettingsRejectedError('the rule’s conditions don’t go together', { cause: parsed.error });
      }
      return parsed.data;
    },
  };
}

/** Undefined, with an error, where a part of the trigger is missing or not valid. */
function readCondition(form: ConditionForm, state: FormState, errors: Errors): Condition | undefined {
  const values = form.read(state, errors);
  const { nameOf } = form;
  const trigger = values.when ?? '';
  const [, kind = trigger, detail = ''] = /^(result|from):(\w+)$/.exec(trigger) ?? [];
  const { hours } = values;
  switch (kind) {
    case 'every':
    case 'check_digit':
    case 'watched':
    case 'first_seen':
      return { kind };
    case 'result':
      return { kind, is: detail as Extract<Condition, { kind: 'result' }>['is'] };
    case 'from': {
      const what = detail as Extract<Condition, { kind: 'from' }>['what'];
      return { kind, what, ids: [...(values[`ids.${what}`] ?? [])] };
    }
    case 'value':
      return { kind, ...listed(values.values, nameOf('values'), 'barcode', errors), exact: !values['values.folded'] };
    case 'value_pattern':
      return { kind, pattern: values.pattern ?? '' };
    case 'answer': {
      const { question: questionId, 'answer.how': how } = values;
      const compared = {
        ...comparedOf(form, values, how, state, errors),
        how: how as Exclude<typeof how, 'present' | undefined>,
      };
      return { kind, ...(questionId === undefined ? {} : { questionId }), ...compared };
    }
    case 'property': {
      const { property: name = '', 'property.how': how } = values;
      return { kind, name, ...comparedOf(form, values, how, state, errors), how: how! };
    }
    case 'within_hours':
    case 'outside_hours':
      return hours && { kind, hours };
    case 'batch':
      return { kind, ...listed(values.batches, nameOf('batches'), 'batch', errors), exact: !values['batches.folded'] };
    case 'expires': {
      const { days, 'days.zone': zone } = values;
      if (zone === undefined) {
        errors[nameOf('days.zone')] = 'Choose a time zone.';
      }
      return days === undefined || zone === undefined ? undefined : { kind, days, zone };
    }
    case 'nth': {
      const { nth: n, 'nth.of': of = 'relay' } = values;
      return n === undefined ? undefined : { kind, n, of, again: values['nth.again'] !== 'once' };
    }
    case 'burst': {
      const { burst: n, 'burst.minutes': minutes } = values;
      return n === undefined || minutes === undefined ? undefined : { kind, n, minutes };
    }
    case 'silence': {
      const { 'silence.of': of = 'relay', 'silence.minutes': minutes } = values;
      const ids = of === 'relay' ? [] : [...(values[`ids.${of}`] ?? [])];
      return minutes === undefined || !hours ? undefined : { kind, of, ids, minutes, hours };
    }
    default:
      errors[nameOf('when')] = 'Choose a trigger.';
      return undefined;
  }
}

const { max: mostValues = 0 } = boundsOf(variantOf(conditionSchema, 'value').shape.is);

function listed(entered: readonly string[] | undefined, block: string, what: string, errors: Errors) {
  const is = [...(entered ?? [])];
  if (is.length === 0) {
    errors[block] = `Enter at least one ${what}.`;
  } else if (is.length > mostValues) {
    errors[block] = `Enter at most ${countOf(mostValues, what, what === 'batch' ? 'batches' : undefined)}.`;
  }
  return { is };
}

/** What an answer or a property is compared with. */
function comparedOf(
  { nameOf }: ConditionForm,
  { to = '' }: ConditionValues,
  how: string | undefined,
  state: FormState,
  errors: Errors,
) {
  if (how !== 'present') {
    if ((how === 'above' || how === 'below') && !isDecimal(to)) {
      errors[nameOf('to')] = 'Enter a number. Use a point for decimals: 2.5.';
    } else if (to === '') {
      errors[nameOf('to')] = 'Enter text.';
    }
  }
  const folded = nameOf('to.folded');
  return { to, exact: state.has(folded) && !state.ticked(folded) };
}
