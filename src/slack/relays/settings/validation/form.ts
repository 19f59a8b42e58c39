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
  paragraph,
  radioPart,
  selectPart,
  textPart,
  thingsPart,
  warning,
} from '../inputs.js';
import { aWeek, aYear, type JudgingDraft, mostDatabases, mostListed, judgingParts as parts } from './draft.js';

const kinds: readonly Choice[] = [
  ['accept', 'All scans'],
  ['database', 'Barcodes valid in databases', 'As set in the account’s databases'],
  ['list', 'Based on a list of barcodes', 'Entered here or uploaded as a file'],
  ['pattern', 'Based on a pattern', 'A regular expression'],
];

export function judgingView(
  draft: JudgingDraft,
  options: { readonly notes: string; readonly more: boolean; readonly trouble?: string | undefined },
): ModalView {
  const blocks: Block[] = [
    ...warning(options.trouble),
    radioPart({ name: parts.kind, label: 'Which scans are valid?', redraws: true }, kinds, draft.kind),
    paragraph('If the service already validated a scan, these settings don’t change the result.'),
    ...kindParts(draft),
    divider,
    ...besideParts(draft),
    ...(options.more ? [divider, ...advancedParts(draft)] : []),
    ...(options.more ? [] : [actions([button('Advanced…', settingActions.more)])]),
  ];
  return modalView('Validation', blocks, {
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
            hint: 'Searched in this order; the first that has the barcode decides. Barcodes in none of them are not valid.',
          },
          'database',
          draft.databases,
          mostDatabases,
        ),
        radioPart(
          { name: parts.unknown, label: 'If a barcode can’t be checked in time' },
          [
            ['accept', 'Accept and flag it'],
            ['reject', 'Reject and explain why'],
          ],
          draft.unknown,
        ),
        paragraph(
          'Scandesk keeps a copy of these databases, so most scans need no API call. It searches the account only for barcodes that the copy doesn’t have.',
        ),
      ];
    case 'list':
      return listParts(draft);
    case 'pattern':
      return [
        radioPart(
          { name: parts.matching, label: 'Barcodes that match are' },
          [
            ['valid', 'Valid; all others are not valid'],
            ['invalid', 'Not valid; all others are valid'],
          ],
          draft.matching,
        ),
        textPart(
          {
            name: parts.pattern,
            label: 'Pattern',
            hint: 'Matches anywhere in the barcode. To match the whole barcode, start with ^ and end with $. RE2 syntax.',
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
      ? ` ${draft.valueCount.toLocaleString('en-US')} barcodes are on the list, too many to show here. Leave both fields blank to keep them.`
      : '';
  return [
    radioPart(
      { name: parts.listed, label: 'Barcodes on the list are' },
      [
        ['valid', 'Valid; all others are not valid'],
        ['invalid', 'Not valid; all others are valid'],
      ],
      draft.listed,
    ),
    textPart(
      {
        name: parts.values,
        label: 'Barcodes',
        hint: `One per line, exactly as scanned. Type \\x1d for the GS1 separator.${there}`,
        optional: true,
      },
      draft.values ?? '',
      { multiline: true },
    ),
    filePart(
      {
        name: parts.file,
        label: 'Barcode file',
        hint: `A text file with one barcode per line. Use it for more than 3,000 characters, or for barcodes that start or end with spaces. At most ${mostListed.toLocaleString('en-US')} barcodes.`,
        optional: true,
      },
      ['txt', 'csv'],
    ),
    checkPart({ name: parts.folded, label: 'Letter case' }, 'Ignore upper and lower case', !draft.exact),
  ];
}

function besideParts(draft: JudgingDraft): Block[] {
  return [
    selectPart(
      { name: parts.again, label: 'Repeat scans', redraws: true },
      [
        ['no', 'Allow'],
        ['ever', 'Always treat as duplicate'],
        ['within', 'Treat as duplicate for…'],
      ],
      draft.again,
    ),
    ...(draft.again === 'within'
      ? [
          numberPart({ name: parts.againMinutes, label: 'Treat as duplicate for (minutes)' }, draft.againMinutes, {
            min: 1,
            max: aYear,
          }),
        ]
      : []),
    selectPart(
      { name: parts.limit, label: 'Scan limit', redraws: true },
      [
        ['no', 'No limit'],
        ['value', 'Limit per barcode'],
        ['relay', 'Total limit'],
      ],
      draft.limit,
    ),
    ...(draft.limit === 'no'
      ? []
      : [
          numberPart(
            {
              name: parts.limitN,
              label: 'Maximum number of scans',
              // A limit for each barcode includes earlier scans.
              ...(draft.limit === 'relay' ? { hint: 'Counting starts when you first save this limit.' } : {}),
            },
            draft.limitN,
            { min: 1, max: 1_000_000 },
          ),
          numberPart(
            {
              name: parts.limitMinutes,
              label: 'Time window (minutes)',
              hint: 'Leave blank for no time window.',
              optional: true,
            },
            draft.limitMinutes,
            { min: 1, max: aYear },
          ),
        ]),
    checkPart(
      { name: parts.timed, label: 'Active hours', redraws: true },
      'Scans outside active hours are not valid',
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
        label: 'Late after (minutes)',
        hint: 'Scans that arrive later than this are marked as late, and count for the time they were made.',
      },
      draft.late,
      { min: 1, max: aWeek },
    ),
    ...(draft.kind === 'database'
      ? [
          numberPart(
            {
              name: parts.share,
              label: 'Share of API calls (%)',
              hint: 'How much of each minute’s API calls may be used to check single scans. With 0, only the copy is searched.',
            },
            draft.share,
            { min: 0, max: 100 },
          ),
          numberPart(
            {
              name: parts.budget,
              label: 'Maximum wait for the account (seconds)',
              hint: 'Devices wait at most 15 seconds for a response.',
            },
            draft.budget,
            { min: 0, max: 10, decimal: true },
          ),
        ]
      : []),
  ];
}
