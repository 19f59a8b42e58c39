/** The fields of a relay's validation: which scans are valid, repeats, limits, active hours. */
import {
  type RelaySettings,
  relaySettingsSchema,
  type ValidationSettings,
  validationSchema,
} from '../../../../relay/index.js';
import type { Option } from '../../../block-kit/elements.js';
import { type Bounds, boundsOf, variantOf } from '../../../forms/bounds.js';
import { createForm, fieldsOf, type Kind, when } from '../../../forms/form.js';
import type { Choice } from '../../../forms/inputs.js';
import * as kinds from '../../../forms/kinds.js';
import { defaultHours, hours } from '../../../inputs/hours.js';
import { barcodes, ignoreCase, inputActions, pattern, records } from '../../../inputs/kinds.js';
import { idOption } from '../../../operations/form/resources.js';

const {
  database,
  list,
  pattern: patterns,
} = {
  database: variantOf(validationSchema, 'database').shape,
  list: variantOf(validationSchema, 'list').shape,
  pattern: variantOf(validationSchema, 'pattern').shape,
};
const { lateMinutes, atMost } = relaySettingsSchema.shape;
export const { max: mostListed = 0 } = boundsOf(list.values);
const upToAYear: Bounds = { min: 1, max: 366 * 24 * 60 };

/** The content with which the form is opened. */
interface ValidationSource extends Pick<RelaySettings, 'judging' | 'duplicates' | 'atMost' | 'hours' | 'lateMinutes'> {
  readonly databaseOption: (id: string) => Option | undefined;
  readonly zone?: string | undefined;
}

const field = fieldsOf<ValidationSource>();

const validOrNot: readonly Choice<'valid' | 'invalid'>[] = [
  ['valid', 'Valid; all others are not valid'],
  ['invalid', 'Not valid; all others are valid'],
];

/** A checkbox that means the opposite of its setting: whether to ignore case, stored as whether to compare exactly. */
const ignoringCase: Kind<boolean> = {
  ...ignoreCase,
  content: (exact) => !exact,
  read: (state, name) => !state.ticked(name),
};

/** The input of a time in seconds that is stored in milliseconds. */
const seconds: Kind<string, number> = {
  ...kinds.number({ min: 0, max: 10, isDecimal: true }),
  content: (milliseconds) => String(milliseconds / 1_000),
  read(state, name, errors) {
    const entered = state.text(name).trim();
    if (/^\d{1,2}(\.\d{1,3})?$/.test(entered) && Number(entered) <= 10) {
      return Math.round(Number(entered) * 1_000);
    }
    errors[name] = 'Enter seconds from 0 to 10.';
    return undefined;
  },
};

export const validationForm = createForm('judging', inputActions, {
  kind: field(
    kinds.radio<ValidationSettings['kind']>([
      ['accept', 'All scans'],
      ['database', 'Barcodes valid in databases', 'As set in the account’s databases'],
      ['list', 'Based on a list of barcodes', 'Entered here or uploaded as a file'],
      ['pattern', 'Based on a pattern', 'A regular expression'],
    ]),
    { label: 'Which scans are valid?', rerenders: true, path: 'judging.kind' },
  ),
  databases: field(records('database', boundsOf(database.databaseIds)), {
    label: 'Databases',
    hint: 'Searched in this order; the first that has the barcode decides. Barcodes in none of them are not valid.',
    shown: when('kind', 'database'),
    path: 'judging.databaseIds',
    from: ({ judging, databaseOption }) =>
      judging.kind === 'database'
        ? judging.databaseIds.map((id) => databaseOption(id) ?? idOption('database', id))
        : [],
  }),
  unknown: field(
    kinds.radio<'accept' | 'reject'>([
      ['accept', 'Admit it and mark it as not checked'],
      ['reject', 'Don’t admit it, and say why'],
    ]),
    {
      label: 'If a barcode can’t be checked in time',
      shown: when('kind', 'database'),
      path: 'judging.unknown',
      initial: 'accept',
    },
  ),
  listed: field(kinds.radio(validOrNot), {
    label: 'Barcodes on the list are',
    shown: when('kind', 'list'),
    path: 'judging.listed',
    initial: 'valid',
  }),
  values: field(barcodes, {
    label: 'Barcodes',
    optional: true,
    hint: ({ values, valueCount }) =>
      `One per line, exactly as scanned. Type \\x1d for the GS1 separator.${values === undefined ? ` ${Number(valueCount).toLocaleString('en-US')} barcodes are on the list, too many to show here. Leave both fields blank to keep them.` : ''}`,
    shown: when('kind', 'list'),
    path: 'judging.values',
  }),
  file: field(kinds.file('txt', 'csv'), {
    label: 'Barcode file',
    optional: true,
    hint: `A text file with one barcode per line. Use a file for a long list (over 3,000 characters) or for barcodes that start or end with spaces. At most ${mostListed.toLocaleString('en-US')} barcodes.`,
    shown: when('kind', 'list'),
  }),
  folded: field(ignoringCase, {
    label: 'Letter case',
    shown: when('kind', 'list'),
    path: 'judging.exact',
  }),
  matching: field(kinds.radio(validOrNot), {
    label: 'Barcodes that match are',
    shown: when('kind', 'pattern'),
    path: 'judging.matching',
    initial: 'valid',
  }),
  pattern: field(pattern({ ...boundsOf(patterns.pattern), placeholder: '^VIP-[0-9]{6}$' }), {
    label: 'Pattern',
    hint: 'Matches anywhere in the barcode. To match the whole barcode, start with ^ and end with $. RE2 syntax.',
    shown: when('kind', 'pattern'),
    path: 'judging.pattern',
  }),
  again: field(
    kinds.select<'no' | 'ever' | 'within'>([
      ['no', 'Allow'],
      ['ever', 'Always treat as duplicate'],
      ['within', 'Treat as duplicate for…'],
    ]),
    {
      label: 'Repeat scans',
      rerenders: true,
      from: ({ duplicates }) =>
        duplicates === undefined ? 'no' : duplicates.withinMinutes === undefined ? 'ever' : 'within',
    },
  ),
  'again.minutes': field(kinds.integer(upToAYear), {
    label: 'Treat as duplicate for (minutes)',
    shown: when('again', 'within'),
    from: ({ duplicates }) => String(duplicates?.withinMinutes ?? 10),
  }),
  limit: field(
    kinds.select<'no' | 'value' | 'relay'>(
      [
        ['no', 'No limit'],
        ['value', 'Limit per barcode'],
        ['relay', 'Total limit'],
      ],
      { none: 'no' },
    ),
    { label: 'Scan limit', rerenders: true, path: 'atMost.of', initial: 'no' },
  ),
  'limit.n': field(kinds.integer(boundsOf(atMost.unwrap().shape.n)), {
    label: 'Maximum number of scans',
    // A limit for each barcode includes earlier scans.
    hint: ({ limit }) => (limit === 'relay' ? 'Counting starts when you first save this limit.' : undefined),
    shown: when('limit', 'value', 'relay'),
    path: 'atMost.n',
    initial: '1',
  }),
  'limit.minutes': field(kinds.integer(upToAYear, { optional: true }), {
    label: 'Time window (minutes)',
    hint: 'Leave blank for no time window.',
    optional: true,
    shown: when('limit', 'value', 'relay'),
    path: 'atMost.withinMinutes',
  }),
  timed: field(kinds.checkbox('Scans outside active hours are not valid'), {
    label: 'Active hours',
    rerenders: true,
    from: (source) => source.hours !== undefined,
  }),
  hours: field(hours, {
    label: 'Active hours',
    shown: when('timed', true),
    path: 'hours',
    from: (source) => source.hours ?? defaultHours(source.zone),
  }),
  late: field(kinds.integer(boundsOf(lateMinutes)), {
    label: 'Late after (minutes)',
    hint: 'Scans that arrive later than this are marked as late. They count at the time of the scan.',
    collapsible: true,
    path: 'lateMinutes',
  }),
  share: field(kinds.integer(boundsOf(database.liveShare)), {
    label: 'Share of API calls (%)',
    hint: 'How much of each minute’s API calls may be used to check single scans. With 0, only the copy is searched.',
    collapsible: true,
    shown: when('kind', 'database'),
    path: 'judging.liveShare',
    initial: '30',
  }),
  readings: field(kinds.checkbox('Accept a GS1 barcode by its equal reading'), {
    label: 'Equal readings',
    hint: 'For a barcode that no database has: its article number, or the same barcode written in another way. Never where a serial number is part of it. Repeat scans and limits count each text by itself.',
    rerenders: true,
    collapsible: true,
    shown: when('kind', 'database'),
    path: 'judging.readings',
  }),
  budget: field(seconds, {
    label: 'Maximum wait for the account (seconds)',
    hint: 'Devices wait at most 15 seconds for a response.',
    collapsible: true,
    shown: when('kind', 'database'),
    path: 'judging.budgetMs',
    initial: '3',
  }),
});
