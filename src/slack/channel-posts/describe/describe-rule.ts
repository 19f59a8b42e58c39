/** A rule as text: its trigger, and where and how it posts. Outside text in it appears verbatim. Pure. */

import { noNames } from '../../../codereadr/names.js';
import type { ReferenceKind } from '../../../codereadr/operations/operation.js';
import type { NameOf } from '../../../codereadr/types.js';
import { countOf, firstOf, ordinal, plural } from '../../../english.js';
import { areWholeWeek, type Condition, type ConditionOf, type Rule } from '../../../relay/index.js';
import { scansNotValid } from '../../../scans/result-words.js';
import { cut } from '../../block-kit/elements.js';
import { settled, visible } from '../../block-kit/text.js';
import { describeHours } from './describe-hours.js';
import { describeMinutes } from './describe-settings.js';
import { ruleClause, subjects } from './rule-sentence.js';

/** The value, its label and its description. */
type Choice = readonly [value: string, label: string, description?: string];

/** The triggers of a rule, grouped as in its form. A choice is a condition, or a condition with its first setting. */
export const whenGroups: readonly (readonly [heading: string, choices: readonly Choice[]])[] = [
  [
    'Result',
    [
      ['every', 'Every scan'],
      ['result:invalid', 'Scans that are not valid'],
      ['result:valid', 'Valid scans'],
      ['result:duplicate', 'Duplicates'],
      ['result:late', 'Late scans'],
      ['result:not_validated', 'Scans that couldn’t be checked'],
    ],
  ],
  [
    'Barcode',
    [
      ['value', 'Specific barcodes'],
      ['value_pattern', 'Barcodes that match a pattern'],
      ['check_digit', 'Barcodes with a wrong check digit', 'EAN, UPC, GTIN, SSCC'],
      ['watched', 'Watched barcodes', 'Added with /scandesk watch'],
      ['first_seen', 'Barcodes scanned for the first time'],
      ['expires', 'Items that expire soon', 'GS1 barcodes with a date'],
      ['batch', 'Specific batches', 'GS1 barcodes with a batch or lot'],
    ],
  ],
  [
    'Source',
    [
      ['from:service', 'Specific services'],
      ['from:user', 'Specific users'],
      ['from:device', 'Specific devices'],
    ],
  ],
  [
    'Answers and properties',
    [
      ['answer', 'Answer to a question'],
      ['property', 'Scan property'],
    ],
  ],
  [
    'Time and frequency',
    [
      ['within_hours', 'Scans within set hours'],
      ['outside_hours', 'Scans outside set hours'],
      ['nth', 'Every Nth scan'],
      ['burst', 'Alert: many not valid'],
      ['silence', 'Alert: no scans'],
    ],
  ],
];

export function whenOf(condition: Condition): string {
  switch (condition.kind) {
    case 'result':
      return `result:${condition.is}`;
    case 'from':
      return `from:${condition.what}`;
    default:
      return condition.kind;
  }
}

const results: Readonly<Record<string, string>> = Object.fromEntries(
  whenGroups.flatMap(([, choices]) => choices.map(([value, label]) => [value, label])),
);

const hows: Readonly<Record<string, string>> = {
  equals: 'is',
  contains: 'contains',
  above: 'is above',
  below: 'is below',
  present: 'is present',
};

const longestDescription = 200;

/** `Barcode is 00123, 00124 and 3 more`, `From Gate A phone`; an id without a known name stays an id. */
export function describeCondition(condition: Condition, nameOf: NameOf = noNames): string {
  return cut(conditionText(condition, nameOf), longestDescription);
}

function conditionText(condition: Condition, nameOf: NameOf): string {
  switch (condition.kind) {
    case 'value':
      return `Barcode is ${someOf(condition.is.map(visible))}`;
    case 'value_pattern':
      return `Barcode matches ${visible(condition.pattern)}`;
    case 'from':
      return `From ${describeSources(condition.what, condition.ids, nameOf)}`;
    case 'answer':
      return `${describeQuestion(condition.questionId, nameOf)} ${hows[condition.how]} ${settled(condition.to)}`;
    case 'property':
      return `Property ${settled(condition.name)} ${hows[condition.how]}${condition.how === 'present' ? '' : ` ${settled(condition.to)}`}`;
    case 'outside_hours':
      return `Outside ${describeHours(condition.hours)}`;
    case 'within_hours':
      return `Within ${describeHours(condition.hours)}`;
    case 'batch':
      return `Batch ${someOf(condition.is.map(visible))}`;
    case 'expires':
      return `Expires within ${countOf(condition.days, 'day')}`;
    case 'nth':
      return `${condition.again ? 'Every' : 'Only the'} ${ordinal(condition.n)} scan of ${subjects[condition.of]}`;
    case 'burst':
      return `${scansNotValid(condition.n)} within ${describeMinutes(condition.minutes)}`;
    case 'silence':
      return `No scan ${describeSilentSources(condition, nameOf)}for ${describeMinutes(condition.minutes)}, ${describeHours(condition.hours)}`;
    default:
      return results[whenOf(condition)] ?? condition.kind;
  }
}

/** `Gate A phone, unnamed device b77e0d1c`; where nothing has a name, `unnamed devices a3f1c09e, b77e0d1c`. */
function describeSources(kind: ReferenceKind, ids: readonly string[], nameOf: NameOf): string {
  const names = ids.map((id) => nameOf(kind, id));
  return names.some((name) => name !== undefined)
    ? someOf(ids.map((id, at) => settled(names[at] ?? `unnamed ${kind} ${visible(id)}`)))
    : `unnamed ${plural(ids.length, kind)} ${someOf(ids.map(visible))}`;
}

function describeQuestion(id: string | undefined, nameOf: NameOf): string {
  if (id === undefined) {
    return 'Answer';
  }
  const text = nameOf('question', id);
  return text === undefined ? `Answer to question ${id}` : `“${cut(settled(text), 100)}”`;
}

function describeSilentSources({ of, ids }: ConditionOf<'silence'>, nameOf: NameOf): string {
  return of === 'relay' || ids.length === 0 ? '' : `from ${describeSources(of, ids, nameOf)} `;
}

function someOf(texts: readonly string[]): string {
  const shown = texts.slice(0, 3).map((text) => cut(text, 60));
  return firstOf(shown, texts.length - shown.length);
}

/** Its name, else its only trigger, else when it matches: `When a scan is not valid and comes from Gate A`. */
export function ruleTitle(rule: Pick<Rule, 'name' | 'when' | 'unless'>, nameOf: NameOf = noNames): string {
  const { name, when, unless } = rule;
  if (name.trim() !== '') {
    return settled(name);
  }
  const [only] = when;
  if (only && when.length === 1 && unless.length === 0) {
    return describeCondition(only, nameOf);
  }
  const clause = ruleClause(rule, nameOf);
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}`;
}

/** How it posts, without its channel. Mentions are written as mrkdwn: the ids are Slack's own. */
export function describeDelivery({ how, digestMinutes, mention, quiet, escalate, broadcast, on }: Rule): string {
  const mentions = mentioned(mention);
  return [
    ...(on ? [] : ['*off*']),
    ...(how === 'thread' ? ['in a thread'] : []),
    ...(how === 'digest' ? [`digest every ${describeMinutes(digestMinutes)}`] : []),
    ...(mentions.length > 0 ? [describeMentions(mentions)] : []),
    ...(escalate
      ? [`escalates after ${describeMinutes(escalate.minutes)}: ${describeMentions(mentioned(escalate))}`]
      : []),
    ...(broadcast ? ['updates in the channel too'] : []),
    ...(quiet
      ? [`quiet hours ${describeHours(quiet)}${areWholeWeek(quiet) ? ', which hold nothing: they never end' : ''}`]
      : []),
  ].join(' · ');
}

function mentioned({ users, groups }: Rule['mention']): string[] {
  return [...users.map((id) => `<@${id}>`), ...groups.map((id) => `<!subteam^${id}>`)];
}

function describeMentions(mentions: readonly string[]): string {
  const shown = mentions.slice(0, 5);
  return `mentions ${shown.join(' ')}${mentions.length > 5 ? ` and ${mentions.length - 5} more` : ''}`;
}
