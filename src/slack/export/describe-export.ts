/** What is exported, and why an export ended, in words. Pure. */
import { countOf } from '../../english.js';
import { type EndedExport, type ExportRecord, type ExportWhat, formatOf } from '../../exports/index.js';
import { agesOf, deletedSince } from '../block-kit/scans-as-of.js';
import { shortName } from '../block-kit/short-text.js';
import { bold, type LinePart, momentAfter, person } from '../block-kit/text.js';
import { refusedFor, scopesInCode } from '../bolt/scopes.js';
import { isChannelGone } from '../channel-posts/post-failure.js';
import { stillCounting } from '../lent/thing-lines.js';
import { queryLine } from '../scans/describe-query.js';

/** The exported data in words: "Scans today · not valid", "All values of Tickets". */
export function whatLine(subject: ExportWhat): LinePart[] {
  switch (subject.kind) {
    case 'scans':
      return queryLine(subject.query);
    case 'values':
      return valuesLine(subject.database.name);
    case 'inside':
      return insideLine(subject.list.name);
    case 'roll_call':
      return rollCallLine(subject.list.name);
    case 'out':
      return [bold('What is out'), ...(subject.text === '' ? [] : [` with “${subject.text}”`])];
  }
}

/** The export of a list in words: "Who was inside, by the minute: Main hall". */
export function insideLine(name: string): LinePart[] {
  return [bold(`Who was inside, by the minute: ${shortName(name)}`)];
}

export function rollCallLine(name: string): LinePart[] {
  return [bold(`Roll call: ${shortName(name)}`)];
}

/** The nouns for a row, by kind of export. */
export const nouns = {
  scans: 'scan',
  values: 'value',
  inside: 'minute',
  roll_call: 'barcode',
  out: 'thing',
} as const satisfies Record<ExportWhat['kind'], string>;

export function valuesLine(name: string): LinePart[] {
  return [bold(`All values of ${shortName(name)}`)];
}

/** The number of rows in words: `1,204 scans` */
export function countLine({ what, rows }: Pick<ExportRecord, 'what' | 'rows'>): string {
  return countOf(rows, nouns[what.kind]);
}

/** Notes for the file's readers: as of when its data is, and what else they should know. */
export function exportNotes(record: ExportRecord): LinePart[][] {
  const { what, mode, position, createdAt, who, deleteAt } = record;
  const isCsv = formatOf(record) === 'csv';
  const { asOf = createdAt, fullAt, since, source, torn, counting } = position;
  const isOpen = what.kind === 'scans' && since !== undefined && what.from < since;
  return [
    what.kind === 'scans' ? agesOf(asOf, createdAt) : [momentAfter('As of ', asOf)],
    ...deletedSince(fullAt),
    ...(isOpen && source === 'copy' ? [[momentAfter('The account’s scans are kept since ', since)]] : []),
    ...(counting ? [[`The list was ${stillCounting}: some may be missing. ${againText}`]] : []),
    ...(torn ? [['The database changed during the export, so some values may be missing or repeated.']] : []),
    ...(mode === 'xlsx' && isCsv
      ? [['No .xlsx file holds this: it takes 1,048,576 rows, and 32,767 characters in a cell. So it is CSV.']]
      : []),
    ...(mode !== 'exact' && isCsv
      ? [["An apostrophe (') stands before everything that a spreadsheet would run."]]
      : []),
    ...(deleteAt === undefined
      ? []
      : [
          [
            ...['Asked for by ', person(who), momentAfter('. The file stays until ', deleteAt)],
            ', then it is deleted.',
          ],
        ]),
  ];
}

const againText = 'Export again.';

const endingTexts: Readonly<Record<string, string>> = {
  cancelled: 'Export canceled. No file was sent.',
  'export.not_connected': 'The export stopped because the scanning account was disconnected.',
  'export.other_account': `The export stopped because a different account or API key was connected. ${againText}`,
  'export.no_access':
    'No file was sent, because whoever asked for this export may no longer see what is in it, or is no longer a full member of this workspace.',
  'export.too_large': 'The file would be larger than the 1 GB that Slack takes. Narrow the search, then export again.',
  'export.too_old': `The export didn’t finish within a day, so it was stopped. ${againText}`,
  'export.list_gone': 'Somebody deleted this list meanwhile.',
  'export.copy_gone': `What Scandesk keeps of the account was replaced during the export. ${againText}`,
  'export.not_deleted':
    'Slack didn’t let Scandesk delete this file. Delete it yourself: it is above in this conversation.',
  'export.unconfirmed': 'Slack didn’t confirm that the file was posted. It may be here: check before you export again.',
  'slack.file_uploads_disabled': 'This workspace doesn’t allow file uploads. Ask a workspace admin.',
  'slack.file_uploads_except_images_disabled': 'This workspace doesn’t allow file uploads. Ask a workspace admin.',
  'slack.file_type_not_allowed':
    'This workspace doesn’t allow files of this kind. Export in another format, or ask a workspace admin.',
  'slack.file_upload_size_restricted': 'This workspace doesn’t allow files of this size. Narrow the search.',
  'slack.storage_limit_reached': 'This workspace has reached its limit for files. Ask a workspace admin.',
  'slack.team_access_not_granted':
    'Scandesk has no access to this workspace. Ask a workspace admin to install it again.',
  'account.key_refused': 'The scanning account refused the API key. Ask a workspace admin to connect it again.',
};

/** Why the export ended. `id`: the export's id, which the log has too. */
export function endingOf({ id, outcome }: Pick<EndedExport, 'id' | 'outcome'>): string {
  const scopes = scopesInCode(outcome);
  if (scopes) {
    return refusedFor('Scandesk can’t send the file', scopes);
  }
  if (isChannelGone(outcome)) {
    return 'Scandesk can’t post in the channel. Invite it with /invite @Scandesk, or export to a direct message.';
  }
  if (outcome.startsWith('account.') && !(outcome in endingTexts)) {
    return `The export stopped because the scanning account couldn’t be read. Try again later. Reference ${id}`;
  }
  return (
    endingTexts[outcome] ??
    `Something went wrong on our end. Try again. If it keeps happening, send reference ${id} to your Scandesk administrator.`
  );
}
