/** Reads the rule form, for saving or preview: a rule, or errors by field. A collapsed field keeps its value. */

import { countOf } from '../../../../english.js';
import { type Condition, conditionSchema, isDecimal, type Rule, ruleSchema } from '../../../../relay/index.js';
import { boundsOf, variantOf } from '../../../forms/bounds.js';
import type { ValuesOf } from '../../../forms/form.js';
import type { Errors, FormState } from '../../../forms/view-state.js';
import { ruleForm } from './fields.js';
import { sharedBlock } from './rule-form.js';

/** From the former rule (none for a new one) to the new one. */
export type RuleChange = (before: Rule | undefined, id: string) => Rule;

export type RuleRead =
  | { readonly errors: Errors }
  | { readonly change: RuleChange; readonly channel: string; readonly sharedIsFine: boolean };

type Values = ValuesOf<typeof ruleForm.fields>;
const { nameOf } = ruleForm;

export function readRule(state: FormState): RuleRead {
  const errors: Errors = {};
  const values = ruleForm.read(state, errors);
  const when = conditionOf(values, state, errors);
  const { channel, how = 'each', digest, users, groups, name, quiet } = values;
  if (when === undefined || channel === undefined || Object.keys(errors).length > 0) {
    return { errors };
  }
  return {
    channel,
    sharedIsFine: state.ticked(sharedBlock(channel)),
    change: (before, id) => {
      const { quiet: quietBefore, ...was } = before ?? {};
      const quietHours = quiet === undefined ? quietBefore : values['quiet.hours'];
      return ruleSchema.parse({
        ...was,
        id,
        // The form shows the first condition: the others stay.
        when: [when, ...(before?.when.slice(1) ?? [])],
        channel,
        mention: { users, groups: groups ?? before?.mention.groups ?? [] },
        how,
        ...(digest === undefined ? {} : { digestMinutes: digest }),
        ...(name === undefined ? {} : { name }),
        ...(quietHours ? { quiet: quietHours } : {}),
      });
    },
  };
}

/** Undefined, with an error, where a part of the trigger is missing or not valid. */
function conditionOf(values: Values, state: FormState, errors: Errors): Condition | undefined {
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
      return { kind, ...listed(values.values, 'values', 'barcode', errors), exact: !values['values.folded'] };
    case 'value_pattern':
      return { kind, pattern: values.pattern ?? '' };
    case 'answer': {
      const { question: questionId, 'answer.how': how } = values;
      const compared = {
        ...comparedOf(values, how, state, errors),
        how: how as Exclude<typeof how, 'present' | undefined>,
      };
      return { kind, ...(questionId === undefined ? {} : { questionId }), ...compared };
    }
    case 'property': {
      const { property: name = '', 'property.how': how } = values;
      return { kind, name, ...comparedOf(values, how, state, errors), how: how! };
    }
    case 'within_hours':
    case 'outside_hours':
      return hours && { kind, hours };
    case 'batch':
      return { kind, ...listed(values.batches, 'batches', 'batch', errors), exact: !values['batches.folded'] };
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

function listed(entered: readonly string[] | undefined, field: 'values' | 'batches', what: string, errors: Errors) {
  const is = [...(entered ?? [])];
  if (is.length === 0) {
    errors[nameOf(field)] = `Enter at least one ${what}.`;
  } else if (is.length > mostValues) {
    errors[nameOf(field)] = `Enter at most ${countOf(mostValues, what, field === 'batches' ? 'batches' : undefined)}.`;
  }
  return { is };
}

/** What an answer or a property is compared with. */
function comparedOf({ to = '' }: Values, how: string | undefined, state: FormState, errors: Errors) {
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
