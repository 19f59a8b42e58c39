/**
 * The rows of an export as CSV. Exact: RFC 4180 in UTF-8, each cell as it is. For spreadsheets: a byte order mark, and an
 * apostrophe before each cell that a spreadsheet would run as a formula or read as a number or a date; so before a cell
 * that begins with one, and the text is what follows the first apostrophe.
 */
import { stringify } from 'csv-stringify/sync';
import type { ExportMode } from './types.js';

/** `text`: from outside. Others are ours, and a spreadsheet may read them as it likes. */
export interface Column<Row> {
  readonly title: string;
  readonly text: boolean;
  readonly of: (row: Row) => string;
}

/** Excel takes a file without it for the machine's own encoding. */
const byteOrderMark = '\ufeff';

export function csvHeader(columns: readonly Column<never>[], mode: ExportMode): string {
  return (mode === 'exact' ? '' : byteOrderMark) + toCsv([columns.map(({ title }) => title)]);
}

export function csvRows<Row>(columns: readonly Column<Row>[], rows: readonly Row[], mode: ExportMode): string {
  return toCsv(
    rows.map((row) =>
      columns.map(({ text, of }) => (mode === 'spreadsheet' && text ? spreadsheetCell(of(row)) : of(row))),
    ),
  );
}

function toCsv(rows: readonly (readonly string[])[]): string {
  // A line break of either kind ends a row for some readers.
  return stringify(rows as string[][], { record_delimiter: 'windows', quoted_match: /[\r\n]/ });
}

/** As OWASP lists them, full-width ones too, also behind spaces that a spreadsheet drops. */
const formula = /^\s*[=+\-@\t\r\n＝＋－＠]|^[\t\r\n]/u;
/** What a spreadsheet may read as a number, a date or a truth: it would drop zeros, digits or letters. */
const number = /^\s*[.,($€£¥]?\s*\d[\d\s.,:/eE+\-%)]*([ap]m?)?\s*$/iu;
const date =
  /^\s*(\d{1,4}[\s./-]*)?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\s./,-]*\d|^\s*\d{1,4}[\s./-]*(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/iu;
const truth = /^\s*(true|false)\s*$/iu;

export function spreadsheetCell(text: string): string {
  const changes =
    text.startsWith("'") || formula.test(text) || number.test(text) || date.test(text) || truth.test(text);
  return changes ? `'${text}` : text;
}
