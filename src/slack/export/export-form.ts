/** The form of an export: how exact the data is, and where the file goes; it says what the file will hold. Pure. */
import { z } from 'zod';
import type { ExportMode } from '../../exports/index.js';
import { type ModalView, modalView } from '../block-kit/elements.js';
import { noticeBlocks } from '../block-kit/notice.js';
import { type LinePart, richText } from '../block-kit/text.js';
import { isChannel } from '../bolt/channels.js';
import { encode, origin } from '../bolt/metadata.js';
import { createForm, fieldsOf } from '../forms/form.js';
import type { Choice } from '../forms/inputs.js';
import * as kinds from '../forms/kinds.js';
import type { FormState } from '../forms/view-state.js';

export const exportTitle = 'Export';
export const exportCallback = 'export.form';

/** What the form exports: a stored search, a database, or a list. */
export const exportMetadata = z.object({
  ...origin,
  search: z.string().optional(),
  database: z.object({ id: z.string(), name: z.string() }).optional(),
  list: z.string().optional(),
  /** Whether the list's file has who is inside, not the figures by the minute. */
  rollCall: z.boolean().optional(),
});

export type ExportForm = z.output<typeof exportMetadata>;

export interface ExportChoice {
  readonly mode: ExportMode;
  readonly to: 'channel' | 'person';
}

const modes: readonly Choice<ExportMode>[] = [
  ['xlsx', 'Excel (.xlsx)', 'For Excel and Google Sheets: every barcode stays as it is.'],
  ['spreadsheet', 'CSV', 'Formulas don’t run, but spreadsheets may drop zeros.'],
  ['exact', 'CSV, exact', 'For other systems: every character as it is.'],
];
const places: readonly Choice<ExportChoice['to']>[] = [
  ['person', 'A direct message to you'],
  ['channel', 'This channel', 'Everyone here can download the file.'],
];

const field = fieldsOf<ExportChoice>();

const form = createForm(
  'export',
  { field: 'export.field', rerender: 'export.field' },
  {
    mode: field(kinds.radio(modes), { label: 'Format', path: 'mode' }),
    to: field(kinds.radio(places), { label: 'Send to', path: 'to' }),
  },
);

const contents = {
  search:
    'Barcode, result, response, scan time in UTC and in your time zone, service, user, device, answers, properties, scan ID',
  database: 'Barcode, valid or not, response, exact or not',
  list: 'Minute in UTC and in the list’s time zone, scans in, scans out, inside at its end, most inside',
  rollCall: 'Name if the list has names, barcode, gate, inside since in UTC and in the list’s time zone',
} as const;

/** `subjectLine`: what is exported. */
export function exportView(
  metadata: ExportForm,
  subjectLine: readonly LinePart[],
  choice: ExportChoice = { mode: 'xlsx', to: 'person' },
  problem?: string,
): ModalView {
  const { rollCall, list, database } = metadata;
  const columns = contents[rollCall ? 'rollCall' : list ? 'list' : database ? 'database' : 'search'];
  return modalView(
    exportTitle,
    [
      ...noticeBlocks({ problem }),
      richText(subjectLine, `Columns: ${columns}.`),
      ...form.draw(form.draft(choice), 'mode'),
      // The app cannot post in a direct message with somebody else.
      ...(isChannel(metadata.channel)
        ? form.draw(form.draft(choice), 'to')
        : [richText(`The file comes to you in a direct message${rollCall ? ', and is deleted after 24 hours' : ''}.`)]),
    ],
    { callback_id: exportCallback, submit: 'Export', private_metadata: encode(exportMetadata, metadata) },
  );
}

export function readExport(state: FormState): ExportChoice {
  const { mode = 'exact', to = 'person' } = form.read(state, {});
  return { mode, to };
}
