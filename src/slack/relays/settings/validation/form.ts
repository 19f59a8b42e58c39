/**
 * The validation form of a relay: which scans are valid, repeats, limits and hours. Rarely used fields are collapsed;
 * dependent fields follow each choice. Pure.
 */
import { actions, type Block, button, divider, type ModalView, modalView } from '../../../block-kit/elements.js';
import { hoursParts } from '../hours.js';
import { settingActions, settingCallbacks } from '../ids.js';
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
} from '../inputs.js';
import { aWeek, aYear, type JudgingDraft, mostDatabases, mostListed, judgingParts as parts } from './draft.js';

const kinds: readonly Choice[] = [
  ['accept', 'Every scan is valid'],
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
    saying('What the service has judged already stays as it is: nothing set here changes it.'),
    ...kindParts(draft),
    divider,
    ...besideParts(draft),
    ...(options.more ? [divider, ...advancedParts(draft)] : []),
    ...(options.more ? [] : [actions([button('Advanced…', settingActions.more)])]),
  ];
  return modalView('Judging', blocks, {
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
            hint: 'Asked in this order; the first that has the barcode decides. A barcode that none of them has is not valid.',
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
            ['invalid', 'not valid; all others are valid'],
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
        ['invalid', 'not valid; all others are valid'],
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
          numberPart(
            {
              name: parts.limitN,
              label: 'At most',
              // A limit for each barcode includes earlier scans.
              ...(draft.limit === 'relay' ? { hint: 'Counted from when this is first saved.' } : {}),
            },
            draft.limitN,
            { min: 1, max: 1_000_000 },
          ),
          numberPart(
            { name: parts.limitMinutes, label: 'Within how many minutes', hint: 'Empty: ever.', optional: true },
            draft.limitMinutes,
            { min: 1, max: aYear },
          ),
        ]),
    checkPart(
      { name: parts.timed, label: 'When', redraws: true },
      'Only between certain hours; all else is not valid',
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
