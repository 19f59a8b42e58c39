/** Reads the rule form, for saving or preview: a rule, or errors by field. A collapsed field keeps its value. Pure. */
import { type Condition, isDecimal, type Rule, ruleSchema } from '../../../../relay/index.js';
import type { Errors, FormState } from '../../../forms/view-state.js';
import { readLines } from '../barcode-lines.js';
import { aWeek, integerIn, patternIn, readHours } from '../old-read.js';
import { ruleParts as parts } from './rule-draft.js';

/** From the former rule (none for a new one) to the new one. */
export type RuleChange = (before: Rule | undefined, id: string) => Rule;

export type RuleRead =
  | { readonly errors: Errors }
  | { readonly change: RuleChange; readonly channel: string; readonly sharedIsFine: boolean };

const mostValues = 1_000;

export function readRule(entered: FormState): RuleRead {
  const errors: Errors = {};
  const when = conditionIn(entered, errors);
  const channel = entered.channel(parts.channel);
  if (channel === undefined) {
    errors[parts.channel] = 'Choose a channel.';
  }
  const how = entered.choice(parts.how);
  const digestMinutes = how === 'digest' ? integerIn(entered, parts.digest, { min: 1, max: aWeek }, errors) : undefined;
  const quiet = entered.ticked(parts.isQuiet) ? readHours(entered, parts.quiet, errors) : undefined;
  if (when === undefined || channel === undefined || Object.keys(errors).length > 0) {
    return { errors };
  }
  const mention = { users: entered.users(parts.users), groups: entered.choices(parts.groups) };
  return {
    channel,
    sharedIsFine: entered.ticked(parts.shared + channel),
    change: (before, id) => {
      const { quiet: quietBefore, ...was } = before ?? {};
      const keepQuiet = entered.has(parts.isQuiet) ? quiet : quietBefore;
      return ruleSchema.parse({
        ...was,
        id,
        when,
        channel,
        mention: { ...mention, ...(entered.has(parts.groups) ? {} : { groups: before?.mention.groups ?? [] }) },
        how: how ?? 'each',
        ...(digestMinutes === undefined ? {} : { digestMinutes }),
        ...(entered.has(parts.name) ? { name: entered.text(parts.name) } : {}),
        ...(keepQuiet ? { quiet: keepQuiet } : {}),
      });
    },
  };
}

function conditionIn(entered: FormState, errors: Errors): Condition | undefined {
  const when = entered.choice(parts.when) ?? '';
  const [, kind = when, word = ''] = /^(result|from):(\w+)$/.exec(when) ?? [];
  switch (kind) {
    case 'every':
    case 'check_digit':
    case 'watched':
    case 'first_seen':
      return { kind };
    case 'result':
      return { kind, is: word as Extract<Condition, { kind: 'result' }>['is'] };
    case 'from':
      return fromIn(entered, word as 'service' | 'user' | 'device', errors);
    case 'value':
      return valueIn(entered, errors);
    case 'value_pattern': {
      const pattern = patternIn(entered, parts.pattern, errors);
      return { kind, pattern };
    }
    case 'answer':
      return answerIn(entered, errors);
    case 'property':
      return propertyIn(entered, errors);
    case 'outside_hours': {
      const hours = readHours(entered, parts.hours, errors);
      return hours && { kind, hours };
    }
    case 'nth':
      return nthIn(entered, errors);
    case 'burst': {
      const n = integerIn(entered, parts.burst, { min: 2, max: 1_000 }, errors);
      const minutes = integerIn(entered, parts.burstMinutes, { min: 1, max: aWeek }, errors);
      return n === undefined || minutes === undefined ? undefined : { kind, n, minutes };
    }
    case 'silence':
      return silenceIn(entered, errors);
    default:
      errors[parts.when] = 'Choose a trigger.';
      return undefined;
  }
}

function fromIn(entered: FormState, what: 'service' | 'user' | 'device', errors: Errors): Condition | undefined {
  const ids = [...entered.choices(parts.ids + what)];
  if (ids.length === 0) {
    errors[parts.ids + what] = `Choose at least one ${what}.`;
  }
  return { kind: 'from', what, ids };
}

function valueIn(entered: FormState, errors: Errors): Condition {
  const is = [...readLines(entered.text(parts.values))];
  if (is.length === 0 || is.length > mostValues) {
    errors[parts.values] =
      is.length === 0 ? 'Enter at least one barcode.' : `Enter at most ${mostValues.toLocaleString('en-US')} barcodes.`;
  }
  return { kind: 'value', is, exact: !entered.ticked(parts.valuesFolded) };
}

function answerIn(entered: FormState, errors: Errors): Condition {
  const how = entered.choice(parts.answerHow) as Extract<Condition, { kind: 'answer' }>['how'];
  const questionId = entered.choice(parts.question);
  const to = toIn(entered, how, errors);
  const exact = entered.has(parts.toFolded) && !entered.ticked(parts.toFolded);
  return { kind: 'answer', ...(questionId === undefined ? {} : { questionId }), how, to, exact };
}

function propertyIn(entered: FormState, errors: Errors): Condition {
  const name = entered.text(parts.property);
  if (name === '') {
    errors[parts.property] = 'Enter the property name.';
  }
  const how = entered.choice(parts.propertyHow) as Extract<Condition, { kind: 'property' }>['how'];
  const to = how === 'present' ? '' : toIn(entered, how, errors);
  const exact = entered.has(parts.toFolded) && !entered.ticked(parts.toFolded);
  return { kind: 'property', name, how, to, exact };
}

function toIn(entered: FormState, how: string, errors: Errors): string {
  const to = entered.text(parts.to);
  if ((how === 'above' || how === 'below') && !isDecimal(to)) {
    errors[parts.to] = 'Enter a number. Use a point for decimals: 2.5.';
  } else if (to === '') {
    errors[parts.to] = 'Enter text.';
  }
  return to;
}

function nthIn(entered: FormState, errors: Errors): Condition | undefined {
  const n = integerIn(entered, parts.nth, { min: 1, max: 1_000_000 }, errors);
  const of = (entered.choice(parts.of) ?? 'relay') as Extract<Condition, { kind: 'nth' }>['of'];
  return n === undefined ? undefined : { kind: 'nth', n, of, again: entered.choice(parts.again) !== 'once' };
}

function silenceIn(entered: FormState, errors: Errors): Condition | undefined {
  const of = (entered.choice(parts.silenceOf) ?? 'relay') as Extract<Condition, { kind: 'silence' }>['of'];
  const ids = of === 'relay' ? [] : [...entered.choices(parts.ids + of)];
  if (of !== 'relay' && ids.length === 0) {
    errors[parts.ids + of] = `Choose at least one ${of}.`;
  }
  const minutes = integerIn(entered, parts.silenceMinutes, { min: 1, max: aWeek }, errors);
  const hours = readHours(entered, parts.hours, errors);
  return minutes === undefined || !hours ? undefined : { kind: 'silence', of, ids, minutes, hours };
}
