/**
 * Owns the form of how a relay judges scans: by what, how often the same barcode counts, when. Short at first; what depends on
 * a choice comes with it, and what few need is folded. Pure.
 */
import type { Hours, Judging, RelaySettings } from '../../relay/index.js';
import { actions, type Block, button, divider, type ModalView, modal, type Option } from '../blocks/kit.js';
import { idOption } from '../forms/things.js';
import type { Entered } from './entered.js';
import { hoursEntered, hoursParts, usualHours } from './hours.js';
import { settingActions, settingCallbacks } from './ids.js';
import {
  type Choice,
  checkPart,
  filePart,
  heading,
  numberPart,
  radioPart,
  saying,
  selectPart,
  textPart,
  thingsPart,
  warning,
} from './inputs.js';
import { typedLines } from './values.js';

export const judgingParts = {
  kind: 'judging.kind',
  databases: 'judging.databases',
  unknown: 'judging.unknown',
  share: 'judging.share',
  budget: 'judging.budget',
  listed: 'judging.listed',
  values: 'judging.values',
  file: 'judging.file',
  folded: 'judging.folded',
  pattern: 'judging.pattern',
  matching: 'judging.matching',
  again: 'judging.again',
  againMinutes: 'judging.again.minutes',
  limit: 'judging.limit',
  limitN: 'judging.limit.n',
  limitMinutes: 'judging.limit.minutes',
  timed: 'judging.timed',
  hours: 'judging.hours',
  late: 'judging.late',
} as const;
const parts = judgingParts;

export const mostListed = 10_000;
export const mostDatabases = 10;
export const aWeek = 7 * 24 * 60;
export const aYear = 366 * 24 * 60;

type Kind = Judging['kind'];

/** What the form stands at: all of it, as far as it is shown. */
export interface JudgingDraft {
  readonly kind: Kind;
  readonly databases: readonly Option[];
  readonly unknown: 'accept' | 'reject';
  readonly share: string;
  /** Seconds. */
  readonly budget: string;
  readonly listed: 'valid' | 'invalid';
  /** Undefined: there are so many, or of such a kind, that no input holds them; they stay unless others are given. */
  readonly values: string | undefined;
  readonly valueCount: number;
  readonly exact: boolean;
  readonly pattern: string;
  readonly matching: 'valid' | 'invalid';
  readonly again: 'no' | 'ever' | 'within';
  readonly againMinutes: string;
  readonly limit: 'no' | 'value' | 'relay';
  readonly limitN: string;
  readonly limitMinutes: string;
  readonly timed: boolean;
  readonly hours: Hours;
  readonly late: string;
}

export function judgingDraft(
  settings: RelaySettings,
  known: { readonly names: (databaseId: string) => Option | undefined; readonly zone?: string | undefined },
): JudgingDraft {
  const { judging, duplicates, atMost, hours, lateMinutes } = settings;
  const database = judging.kind === 'database' ? judging : undefined;
  const list = judging.kind === 'list' ? judging : undefined;
  const pattern = judging.kind === 'pattern' ? judging : undefined;
  return {
    kind: judging.kind,
    databases: (database?.databaseIds ?? []).map((id) => known.names(id) ?? idOption('database', id)),
    unknown: database?.unknown ?? 'accept',
    share: String(database?.liveShare ?? 30),
    budget: String((database?.budgetMs ?? 3_000) / 1_000),
    listed: list?.listed ?? 'valid',
    values: list ? typedLines(list.values) : '',
    valueCount: list?.values.length ?? 0,
    exact: list?.exact ?? true,
    pattern: pattern?.pattern ?? '',
    matching: pattern?.matching ?? 'valid',
    again: duplicates === undefined ? 'no' : duplicates.withinMinutes === undefined ? 'ever' : 'within',
    againMinutes: String(duplicates?.withinMinutes ?? 10),
    limit: atMost?.of ?? 'no',
    limitN: String(atMost?.n ?? 1),
    limitMinutes: atMost?.withinMinutes === undefined ? '' : String(atMost.withinMinutes),
    timed: hours !== undefined,
    hours: hours ?? usualHours(known.zone),
    late: String(lateMinutes),
  };
}

/** What was entered so far, over what it was. */
export function judgingEntered(entered: Entered, before: JudgingDraft): JudgingDraft {
  const text = (name: string, was: string) => (entered.has(name) ? entered.text(name) : was);
  const choice = <T extends string>(name: string, was: T) => (entered.choice(name) as T | undefined) ?? was;
  return {
    ...before,
    kind: choice(parts.kind, before.kind),
    databases: entered.has(parts.databases) ? entered.options(parts.databases) : before.databases,
    unknown: choice(parts.unknown, before.unknown),
    share: text(parts.share, before.share),
    budget: text(parts.budget, before.budget),
    listed: choice(parts.listed, before.listed),
    values: valuesEntered(entered, before),
    exact: entered.has(parts.folded) ? !entered.ticked(parts.folded) : before.exact,
    pattern: text(parts.pattern, before.pattern),
    matching: choice(parts.matching, before.matching),
    again: choice(parts.again, before.again),
    againMinutes: text(parts.againMinutes, before.againMinutes),
    limit: choice(parts.limit, before.limit),
    limitN: text(parts.limitN, before.limitN),
    limitMinutes: text(parts.limitMinutes, before.limitMinutes),
    timed: entered.has(parts.timed) ? entered.ticked(parts.timed) : before.timed,
    hours: hoursEntered(entered, parts.hours, before.hours),
    late: text(parts.late, before.late),
  };
}

/** An input that could not show what there is stays empty without meaning it. */
function valuesEntered(entered: Entered, before: JudgingDraft): string | undefined {
  const typed = entered.has(parts.values) ? entered.text(parts.values) : (before.values ?? '');
  return typed === '' ? before.values && '' : typed;
}

const kinds: readonly Choice[] = [
  ['accept', 'Every scan is valid', 'What the service has judged already stays as it is'],
  ['database', 'By databases of the account', 'Valid is what they say is valid'],
  ['list', 'By a list of barcodes', 'Typed here, or from a file'],
  ['pattern', 'By a pattern', 'A regular expression'],
];

export function judgingView(
  draft: JudgingDraft,
  options: { readonly notes: string; readonly more: boolean; readonly trouble?: string | undefined },
): ModalView {
  const blocks: Block[] = [
    ...warning(options.trouble),
    radioPart({ name: parts.kind, label: 'What is valid?', redraws: true }, kinds, draft.kind),
    ...kindParts(draft),
    divider,
    ...besideParts(draft),
    ...(options.more ? [divider, ...advancedParts(draft)] : []),
    ...(options.more ? [] : [actions([button('Advanced…', settingActions.more)])]),
  ];
  return modal('Judging', blocks, {
    callback_id: settingCallbacks.judging,
    submit: 'Save',
    private_metadata: options.notes,
  });
}

function kindParts(draft: JudgingDraft): Block[] {
  switch (draft.kind) {
    case 'accept':
      return [];
    case 'database':
      return [
        thingsPart(
          {
            name: parts.databases,
            label: 'Databases',
            hint: 'Asked in this order; the first that has the barcode decides. A barcode that none of them has is invalid.',
          },
          'database',
          draft.databases,
          mostDatabases,
        ),
        radioPart(
          { name: parts.unknown, label: 'When Scandesk cannot know in time' },
          [
            ['accept', 'Let it in, and flag it in the channel'],
            ['reject', 'Turn it away, and say why'],
          ],
          draft.unknown,
        ),
        saying(
          'Scandesk keeps a copy of these databases, so that a scan costs no call. It asks the account itself only for what the copy has not got.',
        ),
      ];
    case 'list':
      return listParts(draft);
    case 'pattern':
      return [
        radioPart(
          { name: parts.matching, label: 'A barcode that matches is' },
          [
            ['valid', 'valid; all others are not'],
            ['invalid', 'invalid; all others are valid'],
          ],
          draft.matching,
        ),
        textPart(
          {
            name: parts.pattern,
            label: 'Pattern',
            hint: 'Found anywhere in the barcode, unless it begins with ^ and ends with $. RE2 syntax.',
          },
          draft.pattern,
          { max: 1_000, placeholder: '^VIP-[0-9]{6}$' },
        ),
      ];
  }
}

function listParts(draft: JudgingDraft): Block[] {
  const there =
    draft.values === undefined
      ? ` ${draft.valueCount.toLocaleString('en-US')} are listed now, more than fit here: leave both empty to keep them.`
      : '';
  return [
    radioPart(
      { name: parts.listed, label: 'A listed barcode is' },
      [
        ['valid', 'valid; all others are not'],
        ['invalid', 'invalid; all others are valid'],
      ],
      draft.listed,
    ),
    textPart(
      {
        name: parts.values,
        label: 'Barcodes',
        hint: `One a line, letter by letter. Type \\x1d for the separator of GS1 barcodes.${there}`,
        optional: true,
      },
      draft.values ?? '',
      { multiline: true },
    ),
    filePart(
      {
        name: parts.file,
        label: 'Or a file',
        hint: `A text file, one barcode a line, for what is longer than 3,000 characters or has spaces at its ends. At most ${mostListed.toLocaleString('en-US')} barcodes.`,
        optional: true,
      },
      ['txt', 'csv'],
    ),
    checkPart({ name: parts.folded, label: 'Letters' }, 'Capital and small letters are the same', !draft.exact),
  ];
}

function besideParts(draft: JudgingDraft): Block[] {
  return [
    selectPart(
      { name: parts.again, label: 'A valid barcode that comes again is', redraws: true },
      [
        ['no', 'valid again'],
        ['ever', 'a duplicate, for ever'],
        ['within', 'a duplicate, for some minutes'],
      ],
      draft.again,
    ),
    ...(draft.again === 'within'
      ? [
          numberPart({ name: parts.againMinutes, label: 'For how many minutes' }, draft.againMinutes, {
            min: 1,
            max: aYear,
          }),
        ]
      : []),
    selectPart(
      { name: parts.limit, label: 'How many are let in', redraws: true },
      [
        ['no', 'As many as come'],
        ['value', 'Of each barcode at most so many'],
        ['relay', 'At most so many altogether'],
      ],
      draft.limit,
    ),
    ...(draft.limit === 'no'
      ? []
      : [
          numberPart({ name: parts.limitN, label: 'At most' }, draft.limitN, { min: 1, max: 1_000_000 }),
          numberPart(
            { name: parts.limitMinutes, label: 'Within how many minutes', hint: 'Empty: ever.', optional: true },
            draft.limitMinutes,
            { min: 1, max: aYear },
          ),
        ]),
    checkPart(
      { name: parts.timed, label: 'When', redraws: true },
      'Only between certain hours; all else is invalid',
      draft.timed,
    ),
    ...(draft.timed ? hoursParts(parts.hours, draft.hours) : []),
  ];
}

function advancedParts(draft: JudgingDraft): Block[] {
  return [
    heading('Advanced'),
    numberPart(
      {
        name: parts.late,
        label: 'A scan is late after',
        hint: 'Minutes between the scan and its coming here. Late ones are marked, and count for when they were made.',
      },
      draft.late,
      { min: 1, max: aWeek },
    ),
    ...(draft.kind === 'database'
      ? [
          numberPart(
            {
              name: parts.share,
              label: 'Share of the account’s calls, in percent',
              hint: 'So much of each minute may go into asking about single scans. 0: only the copy is asked.',
            },
            draft.share,
            { min: 0, max: 100 },
          ),
          numberPart(
            {
              name: parts.budget,
              label: 'How long a scan may wait for the account, in seconds',
              hint: 'A device waits 15 at most.',
            },
            draft.budget,
            { min: 0, max: 10, decimal: true },
          ),
        ]
      : []),
  ];
}
