/**
 * The draft of a rule in its form: the stored rule, overlaid with what was entered. It is not validated yet; see
 * `read-rule.ts`. Pure.
 */
import type { Condition, Hours, Rule } from '../../../../relay/index.js';
import { type Option, option } from '../../../block-kit/elements.js';
import { whenOf } from '../../../channel-posts/describe/describe-rule.js';
import type { FormState } from '../../../forms/view-state.js';
import { idOption } from '../../../operations/form/resources.js';
import { typedLines } from '../barcode-lines.js';
import { defaultHours } from '../hours.js';
import { hoursEntered } from '../old-read.js';

export const ruleParts = {
  when: 'rule.when',
  values: 'rule.values',
  valuesFolded: 'rule.values.folded',
  pattern: 'rule.pattern',
  /** Followed by the kind of record. */
  ids: 'rule.ids.',
  question: 'rule.question',
  property: 'rule.property',
  answerHow: 'rule.answer.how',
  propertyHow: 'rule.property.how',
  to: 'rule.to',
  toFolded: 'rule.to.folded',
  hours: 'rule.hours',
  nth: 'rule.nth',
  of: 'rule.nth.of',
  again: 'rule.nth.again',
  burst: 'rule.burst',
  burstMinutes: 'rule.burst.minutes',
  silenceOf: 'rule.silence.of',
  silenceMinutes: 'rule.silence.minutes',
  channel: 'rule.channel',
  /** Followed by its channel. */
  shared: 'rule.shared.',
  how: 'rule.how',
  digest: 'rule.digest',
  users: 'rule.users',
  groups: 'rule.groups',
  name: 'rule.name',
  isQuiet: 'rule.quiet',
  quiet: 'rule.quiet.hours',
} as const;
const parts = ruleParts;

type How = Rule['how'];
type Compare = Extract<Condition, { kind: 'property' }>['how'];
type Subject = Extract<Condition, { kind: 'nth' }>['of'];
type Silent = Extract<Condition, { kind: 'silence' }>['of'];
export type ScanSource = 'service' | 'user' | 'device';

/** The form's values. Texts are as typed. */
export interface RuleDraft {
  /** One of the choices in `whenGroups`. */
  readonly when: string;
  readonly values: string;
  /** Case is ignored. */
  readonly valuesFolded: boolean;
  readonly pattern: string;
  readonly ids: Readonly<Record<ScanSource, readonly Option[]>>;
  readonly question: Option | undefined;
  readonly property: string;
  readonly compare: Compare;
  readonly to: string;
  readonly toFolded: boolean;
  readonly hours: Hours;
  readonly nth: string;
  readonly of: Subject;
  readonly again: boolean;
  readonly burst: string;
  readonly burstMinutes: string;
  readonly silenceOf: Silent;
  readonly silenceMinutes: string;
  readonly channel: string | undefined;
  readonly how: How;
  readonly digest: string;
  readonly users: readonly string[];
  readonly groups: readonly Option[];
  readonly name: string;
  readonly isQuiet: boolean;
  readonly quiet: Hours;
}

export interface DraftContext {
  /** The relay's channel, the default for a new rule. */
  readonly channel: string;
  readonly zone: string | undefined;
  /** The name of an id, if known. */
  readonly nameOf: (kind: ScanSource | 'question' | 'group', id: string) => Option | undefined;
}

/** The initial trigger of a new rule. */
export const firstChoice: Condition = { kind: 'result', is: 'invalid' };

export function ruleDraft(rule: Rule | undefined, { channel, zone, nameOf }: DraftContext): RuleDraft {
  const when = rule?.when ?? firstChoice;
  const named = (kind: ScanSource) => idsOf(when, kind).map((id) => nameOf(kind, id) ?? idOption(kind, id));
  return {
    when: whenOf(when),
    values: when.kind === 'value' ? (typedLines(when.is) ?? '') : '',
    valuesFolded: when.kind === 'value' && !when.exact,
    pattern: when.kind === 'value_pattern' ? when.pattern : '',
    ids: { service: named('service'), user: named('user'), device: named('device') },
    question:
      when.kind === 'answer' && when.questionId !== undefined
        ? (nameOf('question', when.questionId) ?? idOption('question', when.questionId))
        : undefined,
    property: when.kind === 'property' ? when.name : '',
    compare: when.kind === 'property' || when.kind === 'answer' ? when.how : 'equals',
    to: when.kind === 'property' || when.kind === 'answer' ? when.to : '',
    toFolded: when.kind === 'property' || when.kind === 'answer' ? !when.exact : true,
    hours: when.kind === 'outside_hours' || when.kind === 'silence' ? when.hours : defaultHours(zone),
    nth: String(when.kind === 'nth' ? when.n : 100),
    of: when.kind === 'nth' ? when.of : 'relay',
    again: when.kind === 'nth' ? when.again : true,
    burst: String(when.kind === 'burst' ? when.n : 5),
    burstMinutes: String(when.kind === 'burst' ? when.minutes : 10),
    silenceOf: when.kind === 'silence' ? when.of : 'relay',
    silenceMinutes: String(when.kind === 'silence' ? when.minutes : 15),
    channel: rule?.channel ?? channel,
    how: rule?.how ?? 'each',
    digest: String(rule?.digestMinutes ?? 15),
    users: rule?.mention.users ?? [],
    groups: (rule?.mention.groups ?? []).map((id) => nameOf('group', id) ?? option(`Group ${id}`, id)),
    name: rule?.name ?? '',
    isQuiet: rule?.quiet !== undefined,
    quiet: rule?.quiet ?? { ...defaultHours(zone), from: '22:00', to: '06:00' },
  };
}

function idsOf(when: Condition, kind: ScanSource): readonly string[] {
  const of = when.kind === 'from' ? when.what : when.kind === 'silence' ? when.of : undefined;
  return (when.kind === 'from' || when.kind === 'silence') && of === kind ? when.ids : [];
}

/** What was entered, over the former draft. */
export function ruleEntered(entered: FormState, before: RuleDraft): RuleDraft {
  const text = (name: string, was: string) => (entered.has(name) ? entered.text(name) : was);
  const choice = <T extends string>(name: string, was: T) => (entered.choice(name) as T | undefined) ?? was;
  const ids = (kind: ScanSource) =>
    entered.has(parts.ids + kind) ? entered.options(parts.ids + kind) : before.ids[kind];
  return {
    when: choice(parts.when, before.when),
    values: text(parts.values, before.values),
    valuesFolded: entered.has(parts.valuesFolded) ? entered.ticked(parts.valuesFolded) : before.valuesFolded,
    pattern: text(parts.pattern, before.pattern),
    ids: { service: ids('service'), user: ids('user'), device: ids('device') },
    question: entered.has(parts.question) ? entered.options(parts.question)[0] : before.question,
    property: text(parts.property, before.property),
    compare: choice(parts.answerHow, choice(parts.propertyHow, before.compare)),
    to: text(parts.to, before.to),
    toFolded: entered.has(parts.toFolded) ? entered.ticked(parts.toFolded) : before.toFolded,
    hours: hoursEntered(entered, parts.hours, before.hours),
    nth: text(parts.nth, before.nth),
    of: choice(parts.of, before.of),
    again: entered.has(parts.again) ? entered.choice(parts.again) !== 'once' : before.again,
    burst: text(parts.burst, before.burst),
    burstMinutes: text(parts.burstMinutes, before.burstMinutes),
    silenceOf: choice(parts.silenceOf, before.silenceOf),
    silenceMinutes: text(parts.silenceMinutes, before.silenceMinutes),
    channel: entered.channel(parts.channel) ?? before.channel,
    how: choice(parts.how, before.how),
    digest: text(parts.digest, before.digest),
    users: entered.has(parts.users) ? entered.users(parts.users) : before.users,
    groups: entered.has(parts.groups) ? entered.options(parts.groups) : before.groups,
    name: text(parts.name, before.name),
    isQuiet: entered.has(parts.isQuiet) ? entered.ticked(parts.isQuiet) : before.isQuiet,
    quiet: hoursEntered(entered, parts.quiet, before.quiet),
  };
}
