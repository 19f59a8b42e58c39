/**
 * Owns the form of one rule: what it waits for, where and how it posts. What depends on a choice comes with it; a name and
 * quiet hours are folded; what it would have posted stands below. Pure.
 */
import type { Condition, Hours, Rule } from '../../relay/index.js';
import { actions, type Block, button, divider, type ModalView, modal, type Option, option } from '../blocks/kit.js';
import { idOption } from '../forms/things.js';
import type { Entered } from './entered.js';
import { hoursEntered, hoursParts, usualHours } from './hours.js';
import { settingActions, settingCallbacks } from './ids.js';
import {
  type Choice,
  channelPart,
  checkPart,
  groupedSelectPart,
  groupsPart,
  numberPart,
  peoplePart,
  radioPart,
  selectPart,
  textPart,
  thingPart,
  thingsPart,
  warning,
} from './inputs.js';
import { aWeek } from './judging-form.js';
import { subjects, whenGroups, whenOf } from './rule-words.js';
import { typedLines } from './values.js';

export const ruleParts = {
  when: 'rule.when',
  values: 'rule.values',
  valuesFolded: 'rule.values.folded',
  pattern: 'rule.pattern',
  /** Followed by the kind of thing. */
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
  /** Followed by the channel that it is about. */
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
type Thing = 'service' | 'user' | 'device';

/** What the form stands at. Texts are as they were typed. */
export interface RuleDraft {
  /** One of the choices in `whenGroups`. */
  readonly when: string;
  readonly values: string;
  /** Capital and small letters are the same. */
  readonly valuesFolded: boolean;
  readonly pattern: string;
  readonly ids: Readonly<Record<Thing, readonly Option[]>>;
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
  /** Where the relay posts, for a new rule. */
  readonly channel: string;
  readonly zone: string | undefined;
  /** The name behind an id, where it is known. */
  readonly nameOf: (kind: Thing | 'question' | 'group', id: string) => Option | undefined;
}

/** What a new rule waits for until somebody chooses. */
export const firstChoice: Condition = { kind: 'result', is: 'invalid' };

export function ruleDraft(rule: Rule | undefined, { channel, zone, nameOf }: DraftContext): RuleDraft {
  const when = rule?.when ?? firstChoice;
  const named = (kind: Thing) => idsOf(when, kind).map((id) => nameOf(kind, id) ?? idOption(kind, id));
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
    hours: when.kind === 'outside_hours' || when.kind === 'silence' ? when.hours : usualHours(zone),
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
    quiet: rule?.quiet ?? { ...usualHours(zone), from: '22:00', to: '06:00' },
  };
}

function idsOf(when: Condition, kind: Thing): readonly string[] {
  const of = when.kind === 'from' ? when.what : when.kind === 'silence' ? when.of : undefined;
  return (when.kind === 'from' || when.kind === 'silence') && of === kind ? when.ids : [];
}

/** What was entered so far, over what it was. */
export function ruleEntered(entered: Entered, before: RuleDraft): RuleDraft {
  const text = (name: string, was: string) => (entered.has(name) ? entered.text(name) : was);
  const choice = <T extends string>(name: string, was: T) => (entered.choice(name) as T | undefined) ?? was;
  const ids = (kind: Thing) => (entered.has(parts.ids + kind) ? entered.options(parts.ids + kind) : before.ids[kind]);
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

export interface RuleOptions {
  readonly notes: string;
  readonly changing: boolean;
  readonly more: boolean;
  /** False where the workspace has no user groups. */
  readonly groupsOffered: boolean;
  /** What is wrong with the channel, above it. */
  readonly trouble?: string | undefined;
  /** Another organisation reads along there: it has to be agreed to. */
  readonly shared?: boolean | undefined;
  /** What it would have posted. */
  readonly preview: readonly Block[];
}

export function ruleView(draft: RuleDraft, options: RuleOptions): ModalView {
  const blocks: Block[] = [
    groupedSelectPart({ name: parts.when, label: 'What it waits for', redraws: true }, whenGroups, draft.when),
    ...whenParts(draft),
    divider,
    ...warning(options.trouble),
    channelPart(
      {
        name: parts.channel,
        label: 'Channel',
        hint: 'Scandesk joins a public channel by itself. Invite it to a private one first.',
        redraws: true,
      },
      draft.channel,
    ),
    ...(options.shared && draft.channel !== undefined
      ? [checkPart({ name: parts.shared + draft.channel, label: 'Shared channel' }, 'Post there all the same', false)]
      : []),
    ...howParts(draft, options),
    ...(options.more ? moreParts(draft) : [actions([button('Name and quiet hours…', settingActions.more)])]),
    divider,
    ...options.preview,
    actions([button('Try it on the last scans', settingActions.again)]),
  ];
  return modal(options.changing ? 'Change a rule' : 'New rule', blocks, {
    callback_id: settingCallbacks.rule,
    submit: 'Save',
    private_metadata: options.notes,
  });
}

const compares: readonly Choice[] = [
  ['equals', 'is'],
  ['contains', 'contains'],
  ['above', 'is a number above'],
  ['below', 'is a number below'],
];

function whenParts(draft: RuleDraft): Block[] {
  switch (draft.when) {
    case 'value':
      return [
        textPart(
          {
            name: parts.values,
            label: 'Barcodes',
            hint: 'One a line, letter by letter. Type \\x1d for the separator of GS1 barcodes.',
          },
          draft.values,
          { multiline: true },
        ),
        foldedPart(parts.valuesFolded, draft.valuesFolded),
      ];
    case 'value_pattern':
      return [
        textPart(
          {
            name: parts.pattern,
            label: 'Pattern',
            hint: 'Found anywhere in the barcode, unless it begins with ^ and ends with $. RE2 syntax.',
            redraws: true,
          },
          draft.pattern,
          { max: 1_000, placeholder: '^VIP-' },
        ),
      ];
    case 'from:service':
    case 'from:user':
    case 'from:device':
      return [idsPart(draft.when.slice('from:'.length) as Thing, draft)];
    case 'answer': {
      const comparing = draft.compare === 'present' ? 'equals' : draft.compare;
      return [
        thingPart(
          { name: parts.question, label: 'Question', hint: 'Nothing chosen: whichever.', optional: true },
          'question',
          draft.question,
        ),
        selectPart({ name: parts.answerHow, label: 'Its answer', redraws: true }, compares, comparing),
        ...toParts({ ...draft, compare: comparing }),
      ];
    }
    case 'property':
      return [
        textPart({ name: parts.property, label: 'Name of the property', redraws: true }, draft.property, {
          max: 200,
          placeholder: 'gps_location',
        }),
        selectPart(
          { name: parts.propertyHow, label: 'Its value', redraws: true },
          [['present', 'is there, whatever it is'], ...compares],
          draft.compare,
        ),
        ...(draft.compare === 'present' ? [] : toParts(draft)),
      ];
    case 'outside_hours':
      return hoursParts(parts.hours, draft.hours);
    case 'nth':
      return nthParts(draft);
    case 'burst':
      return [
        numberPart({ name: parts.burst, label: 'So many invalid scans' }, draft.burst, { min: 2, max: 1_000 }),
        numberPart(
          {
            name: parts.burstMinutes,
            label: 'Within so many minutes',
            hint: 'Posted once; not again before as many minutes have passed.',
          },
          draft.burstMinutes,
          { min: 1, max: aWeek },
        ),
      ];
    case 'silence':
      return silenceParts(draft);
    default:
      return [];
  }
}

function foldedPart(name: string, folded: boolean): Block {
  return checkPart({ name, label: 'Letters' }, 'Capital and small letters are the same', folded);
}

function toParts(draft: RuleDraft): Block[] {
  const isNumber = draft.compare === 'above' || draft.compare === 'below';
  return [
    textPart(
      {
        name: parts.to,
        label: isNumber ? 'Number' : 'Text',
        ...(isNumber ? { hint: 'With a point: 2.5. What is no number is neither above nor below.' } : {}),
        redraws: true,
      },
      draft.to,
      { max: 500 },
    ),
    ...(isNumber ? [] : [foldedPart(parts.toFolded, draft.toFolded)]),
  ];
}

function idsPart(kind: Thing, draft: RuleDraft): Block {
  return thingsPart({ name: parts.ids + kind, label: kindLabels[kind], redraws: true }, kind, draft.ids[kind], 100);
}

const kindLabels: Readonly<Record<Thing, string>> = { service: 'Services', user: 'Users', device: 'Devices' };

function nthParts(draft: RuleDraft): Block[] {
  return [
    numberPart({ name: parts.nth, label: 'The scan with the number' }, draft.nth, { min: 1, max: 1_000_000 }),
    selectPart(
      { name: parts.of, label: 'Counted are the scans of', redraws: true },
      (['relay', 'value', 'device', 'user', 'service'] as const).map((of): Choice => [of, subjects[of]]),
      draft.of,
    ),
    radioPart(
      { name: parts.again, label: 'And then', redraws: true },
      [
        ['again', 'begin anew: every so many'],
        ['once', 'no more: only that one'],
      ],
      draft.again ? 'again' : 'once',
    ),
  ];
}

function silenceParts(draft: RuleDraft): Block[] {
  return [
    selectPart(
      { name: parts.silenceOf, label: 'No scan of', redraws: true },
      [
        ['relay', 'this relay at all'],
        ['device', 'certain devices, each by itself'],
        ['service', 'certain services, each by itself'],
      ],
      draft.silenceOf,
    ),
    ...(draft.silenceOf === 'relay' ? [] : [idsPart(draft.silenceOf, draft)]),
    numberPart(
      { name: parts.silenceMinutes, label: 'For so many minutes', hint: 'Posted once, until a scan comes again.' },
      draft.silenceMinutes,
      { min: 1, max: aWeek },
    ),
    ...hoursParts(parts.hours, draft.hours),
  ];
}

const hows: readonly Choice[] = [
  ['each', 'Each in a message of its own'],
  ['thread', 'In a thread', 'Under one card a day that keeps count'],
  ['digest', 'Together, in one message', 'After some minutes of collecting'],
];

function howParts(draft: RuleDraft, { groupsOffered }: RuleOptions): Block[] {
  return [
    radioPart({ name: parts.how, label: 'How it posts', redraws: true }, hows, draft.how),
    ...(draft.how === 'digest'
      ? [numberPart({ name: parts.digest, label: 'Collect for so many minutes' }, draft.digest, { min: 1, max: aWeek })]
      : []),
    peoplePart({ name: parts.users, label: 'Mention people', optional: true }, draft.users, 20),
    ...(groupsOffered
      ? [groupsPart({ name: parts.groups, label: 'Mention user groups', optional: true }, draft.groups, 20)]
      : []),
  ];
}

function moreParts(draft: RuleDraft): Block[] {
  return [
    textPart(
      { name: parts.name, label: 'Name', hint: 'Shown in posts and here. Empty: what it waits for.', optional: true },
      draft.name,
      { max: 80 },
    ),
    checkPart(
      { name: parts.isQuiet, label: 'Quiet hours', redraws: true },
      'Post nothing in certain hours, and tell all in one message at their end',
      draft.isQuiet,
    ),
    ...(draft.isQuiet ? hoursParts(parts.quiet, draft.quiet) : []),
  ];
}
