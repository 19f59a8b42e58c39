/**
 * The form of one rule: its trigger, and where and how it posts. Name and quiet hours are collapsed; dependent fields
 * follow each choice; a preview is at the end. Pure.
 */
import { actions, type Block, button, divider, type ModalView, modalView } from '../../../block-kit/elements.js';
import { subjects, whenGroups } from '../../../channel-posts/describe/describe-rule.js';
import { settingActions, settingCallbacks } from '../ids.js';
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
} from '../inputs.js';
import { aWeek, hoursParts } from '../old-read.js';
import { ruleParts as parts, type RuleDraft, type ScanSource } from './rule-draft.js';

export interface RuleOptions {
  readonly notes: string;
  readonly changing: boolean;
  readonly more: boolean;
  /** False where the workspace has no user groups. */
  readonly groupsOffered: boolean;
  /** An error, above the channel. */
  readonly trouble?: string | undefined;
  /** Another organization can read the channel: the person must agree. */
  readonly shared?: boolean | undefined;
  /** The preview of its posts. */
  readonly preview: readonly Block[];
}

export function ruleView(draft: RuleDraft, options: RuleOptions): ModalView {
  const blocks: Block[] = [
    groupedSelectPart({ name: parts.when, label: 'Trigger', redraws: true }, whenGroups, draft.when),
    ...whenParts(draft),
    divider,
    ...warning(options.trouble),
    channelPart(
      {
        name: parts.channel,
        label: 'Channel',
        hint: 'Scandesk joins public channels by itself. Invite it to a private channel first.',
        redraws: true,
      },
      draft.channel,
    ),
    ...(options.shared && draft.channel !== undefined
      ? [checkPart({ name: parts.shared + draft.channel, label: 'Shared channel' }, 'Post anyway', false)]
      : []),
    ...howParts(draft, options),
    ...(options.more ? moreParts(draft) : [actions([button('Name and quiet hours…', settingActions.more)])]),
    divider,
    ...options.preview,
    actions([button('Preview on recent scans', settingActions.again)]),
  ];
  return modalView(options.changing ? 'Edit rule' : 'New rule', blocks, {
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
            hint: 'One per line, exactly as scanned. Type \\x1d for the GS1 separator.',
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
            hint: 'Matches anywhere in the barcode. To match the whole barcode, start with ^ and end with $. RE2 syntax.',
            redraws: true,
          },
          draft.pattern,
          { max: 1_000, placeholder: '^VIP-' },
        ),
      ];
    case 'from:service':
    case 'from:user':
    case 'from:device':
      return [idsPart(draft.when.slice('from:'.length) as ScanSource, draft)];
    case 'answer': {
      const comparing = draft.compare === 'present' ? 'equals' : draft.compare;
      return [
        thingPart(
          { name: parts.question, label: 'Question', hint: 'Leave blank for any question.', optional: true },
          'question',
          draft.question,
        ),
        selectPart({ name: parts.answerHow, label: 'Answer', redraws: true }, compares, comparing),
        ...toParts({ ...draft, compare: comparing }),
      ];
    }
    case 'property':
      return [
        textPart({ name: parts.property, label: 'Property name', redraws: true }, draft.property, {
          max: 200,
          placeholder: 'gps_location',
        }),
        selectPart(
          { name: parts.propertyHow, label: 'Property value', redraws: true },
          [['present', 'is present'], ...compares],
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
        numberPart({ name: parts.burst, label: 'Number of invalid scans' }, draft.burst, {
          min: 2,
          max: 1_000,
        }),
        numberPart(
          {
            name: parts.burstMinutes,
            label: 'Time window (minutes)',
            hint: 'Posts once, then not again until the time window has passed.',
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
  return checkPart({ name, label: 'Letter case' }, 'Ignore upper and lower case', folded);
}

function toParts(draft: RuleDraft): Block[] {
  const isNumber = draft.compare === 'above' || draft.compare === 'below';
  return [
    textPart(
      {
        name: parts.to,
        label: isNumber ? 'Number' : 'Text',
        ...(isNumber ? { hint: 'Use a point for decimals: 2.5. A value that is not a number never matches.' } : {}),
        redraws: true,
      },
      draft.to,
      { max: 500 },
    ),
    ...(isNumber ? [] : [foldedPart(parts.toFolded, draft.toFolded)]),
  ];
}

function idsPart(kind: ScanSource, draft: RuleDraft): Block {
  return thingsPart({ name: parts.ids + kind, label: kindLabels[kind], redraws: true }, kind, draft.ids[kind], 100);
}

const kindLabels: Readonly<Record<ScanSource, string>> = { service: 'Services', user: 'Users', device: 'Devices' };

function nthParts(draft: RuleDraft): Block[] {
  return [
    numberPart({ name: parts.nth, label: 'Scan number' }, draft.nth, { min: 1, max: 1_000_000 }),
    selectPart(
      {
        name: parts.of,
        label: 'Count scans from',
        redraws: true,
        // A count for each barcode includes earlier scans.
        ...(draft.of === 'value' ? {} : { hint: 'Counting starts when you first save this rule.' }),
      },
      (['relay', 'value', 'device', 'user', 'service'] as const).map((of): Choice => [of, subjects[of]]),
      draft.of,
    ),
    radioPart(
      { name: parts.again, label: 'Post', redraws: true },
      [
        ['again', 'Each time the number is reached'],
        ['once', 'Only once'],
      ],
      draft.again ? 'again' : 'once',
    ),
  ];
}

function silenceParts(draft: RuleDraft): Block[] {
  return [
    selectPart(
      { name: parts.silenceOf, label: 'No scans from', redraws: true },
      [
        ['relay', 'This relay'],
        ['device', 'Each of these devices'],
        ['service', 'Each of these services'],
      ],
      draft.silenceOf,
    ),
    ...(draft.silenceOf === 'relay' ? [] : [idsPart(draft.silenceOf, draft)]),
    numberPart(
      {
        name: parts.silenceMinutes,
        label: 'Minutes without scans',
        hint: 'Posts once, then not again until a scan arrives.',
      },
      draft.silenceMinutes,
      { min: 1, max: aWeek },
    ),
    ...hoursParts(parts.hours, draft.hours),
  ];
}

const hows: readonly Choice[] = [
  ['each', 'One message per scan'],
  ['thread', 'Thread', 'Under one message per day that keeps count'],
  ['digest', 'Digest', 'Several scans in one message'],
];

function howParts(draft: RuleDraft, { groupsOffered }: RuleOptions): Block[] {
  return [
    radioPart({ name: parts.how, label: 'Post as', redraws: true }, hows, draft.how),
    ...(draft.how === 'digest'
      ? [numberPart({ name: parts.digest, label: 'Send digest every (minutes)' }, draft.digest, { min: 1, max: aWeek })]
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
      {
        name: parts.name,
        label: 'Name',
        hint: 'Shown in posts and lists. Leave blank to show the trigger.',
        optional: true,
      },
      draft.name,
      { max: 80 },
    ),
    checkPart(
      { name: parts.isQuiet, label: 'Quiet hours', redraws: true },
      'Post nothing during quiet hours; send one digest when they end',
      draft.isQuiet,
    ),
    ...(draft.isQuiet ? hoursParts(parts.quiet, draft.quiet) : []),
  ];
}
