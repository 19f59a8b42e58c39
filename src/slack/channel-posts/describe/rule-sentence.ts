/**
 * A rule as one sentence: what it does, when, and unless what. `Posts to #gate when a scan is not valid and comes from
 * Gate A, unless it is scanned by ann`. Outside text in it appears verbatim. Pure.
 */
import { noNames } from '../../../codereadr/names.js';
import type { ReferenceKind } from '../../../codereadr/operations/operation.js';
import type { NameOf } from '../../../codereadr/types.js';
import { countOf, eitherOf, ordinal, plural } from '../../../english.js';
import { type Condition, type ConditionOf, hasIncidents, isCounting, type Rule } from '../../../relay/index.js';
import type { RichTextElement } from '../../block-kit/elements.js';
import { cut } from '../../block-kit/elements.js';
import { person, settled, textElement, visible } from '../../block-kit/text.js';
import { describeHours } from './describe-hours.js';
import { describeMinutes } from './describe-settings.js';

const longestPhrase = 200;

/** The sentence, with its channel as Slack shows one. */
export function ruleSentence(rule: Rule, nameOf: NameOf = noNames): RichTextElement[] {
  const clause = ruleClause(rule, nameOf);
  return rule.action === 'stop'
    ? [textElement(`Stops here ${clause}`)]
    : [
        textElement('Posts'),
        ...(rule.channel === '' ? [] : [textElement(' to '), { type: 'channel' as const, channel_id: rule.channel }]),
        textElement(
          ` ${clause}${hasIncidents(rule) ? `, and says ${rule.broadcast ? 'in the channel too when it gets worse or is' : 'when it’s'} over` : ''}`,
        ),
        ...escalationElements(rule),
      ];
}

/** `. Mentions @ann and 2 more if nobody acknowledges it within 15 minutes` */
function escalationElements({ escalate }: Rule): RichTextElement[] {
  if (!escalate) {
    return [];
  }
  const people: RichTextElement[] = [
    ...escalate.users.map((id) => person(id)),
    ...escalate.groups.map((id) => ({ type: 'usergroup' as const, usergroup_id: id })),
  ];
  const shown = people.slice(0, 3).flatMap((one, at) => (at === 0 ? [one] : [textElement(' '), one]));
  const rest = people.length > 3 ? ` and ${people.length - 3} more` : '';
  const inTime = describeMinutes(escalate.minutes);
  return [textElement('. Mentions '), ...shown, textElement(`${rest} if nobody acknowledges it within ${inTime}`)];
}

/** `when a scan is not valid and comes from Gate A, unless it is scanned by ann`. */
export function ruleClause({ when, unless }: Pick<Rule, 'when' | 'unless'>, nameOf: NameOf = noNames): string {
  const phrases = (conditions: readonly Condition[]) =>
    conditions.flatMap((condition) => {
      const phrase = phraseOf(condition, nameOf);
      return phrase === undefined ? [] : [cut(phrase, longestPhrase)];
    });
  const counting = when.find(({ kind }) => isCounting(kind));
  const rest = phrases(when);
  const except = unless.length === 0 ? '' : `, unless it ${phrases(unless).join(' or it ')}`;
  if (counting) {
    const only = rest.length === 0 ? '' : `, counting each scan that ${rest.join(' and ')}`;
    return `${countingText(counting as ConditionOf<'nth' | 'burst' | 'silence'>, nameOf)}${only}${except}`;
  }
  return rest.length === 0 ? `for every scan${except}` : `when a scan ${rest.join(' and ')}${except}`;
}

function countingText(condition: ConditionOf<'nth' | 'burst' | 'silence'>, nameOf: NameOf): string {
  switch (condition.kind) {
    case 'nth':
      return `for ${condition.again ? 'every' : 'only the'} ${ordinal(condition.n)} scan of ${subjects[condition.of]}`;
    case 'burst':
      return `when ${countOf(condition.n, 'scan')} are not valid within ${describeMinutes(condition.minutes)}`;
    case 'silence': {
      const { of, ids, minutes, hours } = condition;
      const source = of === 'relay' || ids.length === 0 ? '' : ` from ${sources(of, ids, nameOf)}`;
      return `when no scan arrives${source} for ${describeMinutes(minutes)}, ${describeHours(hours)}`;
    }
  }
}

export const subjects: Readonly<Record<ConditionOf<'nth'>['of'], string>> = {
  value: 'the same barcode',
  device: 'the same device',
  user: 'the same user',
  service: 'the same service',
  relay: 'this relay',
};

const results: Readonly<Record<ConditionOf<'result'>['is'], string>> = {
  valid: 'is valid',
  invalid: 'is not valid',
  duplicate: 'is a duplicate',
  late: 'is late',
  not_validated: 'couldn’t be checked',
};

const from = { service: 'comes from', user: 'is scanned by', device: 'is scanned with' } as const;

/** Said of a scan. Undefined of what says nothing of it by itself. */
function phraseOf(condition: Condition, nameOf: NameOf): string | undefined {
  switch (condition.kind) {
    case 'result':
      return results[condition.is];
    case 'value':
      return `has the barcode ${either(condition.is.map(visible))}`;
    case 'value_pattern':
      return `has a barcode that matches ${visible(condition.pattern)}`;
    case 'check_digit':
      return 'has a wrong check digit';
    case 'watched':
      return 'has a watched barcode';
    case 'first_seen':
      return 'has a barcode scanned for the first time';
    case 'batch':
      return `is of batch ${either(condition.is.map(visible))}`;
    case 'expires':
      return condition.days === 0
        ? 'expires today or has expired'
        : `expires within ${countOf(condition.days, 'day')} or has expired`;
    case 'from':
      return `${from[condition.what]} ${sources(condition.what, condition.ids, nameOf)}`;
    case 'answer': {
      const { how, questionId } = condition;
      const question = questionId === undefined ? '' : ` to ${questionText(questionId, nameOf)}`;
      return how === 'equals'
        ? `has the answer ${settled(condition.to)}${question}`
        : `has an answer${question} that ${hows[how]} ${settled(condition.to)}`;
    }
    case 'property': {
      const { name, how, to } = condition;
      return `has a property ${settled(name)}${how === 'present' ? '' : ` that ${hows[how]} ${settled(to)}`}`;
    }
    case 'outside_hours':
      return `happens outside ${describeHours(condition.hours)}`;
    case 'within_hours':
      return `happens within ${describeHours(condition.hours)}`;
    default:
      return undefined;
  }
}

const hows = { equals: 'is', contains: 'contains', above: 'is above', below: 'is below' } as const;

/** `Gate A phone or unnamed device b77e0d1c`; where nothing has a name, `unnamed devices a3f1c09e or b77e0d1c`. */
function sources(kind: ReferenceKind, ids: readonly string[], nameOf: NameOf): string {
  const names = ids.map((id) => nameOf(kind, id));
  return names.some((name) => name !== undefined)
    ? either(ids.map((id, at) => settled(names[at] ?? `unnamed ${kind} ${visible(id)}`)))
    : `unnamed ${plural(ids.length, kind)} ${either(ids.map(visible))}`;
}

function questionText(id: string, nameOf: NameOf): string {
  const text = nameOf('question', id);
  return text === undefined ? `question ${id}` : `“${cut(settled(text), 100)}”`;
}

function either(texts: readonly string[]): string {
  const shown = texts.slice(0, 3).map((text) => cut(text, 60));
  return eitherOf(shown, texts.length - shown.length);
}
