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
const formula = /^[=+\-@＝＋－＠]/u;
const control = /^[\t\r\n]/u;
/**
 * What a spreadsheet may read as a number, a date or a truth: it would drop zeros, digits or letters. Of a text without
 * spaces at its ends, and in time that grows with its length: a barcode may have thousands of letters.
 */
const number = /^[\d\s.,:/+\-%()$€£¥][\d\s.,:/e+\-%()$€£¥]*(?:[ap]m?)?$/iu;
const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)';
const gap = '[\\s./,-]{0,3}';
const date = new RegExp(`^(?:\\d{1,4}${gap})?${month}[a-z]{0,6}${gap}\\d|^\\d{1,4}${gap}${month}`, 'iu');
const truth = /^(?:true|false)$/iu;

export function spreadsheetCell(text: string): string {
  const shown = text.trim();
  const changes =
    text.startsWith("'") ||
    control.test(text) ||
    formula.test(shown) ||
    (/\d/u.test(shown) && number.test(shown)) ||
    date.test(shown) ||
    truth.test(shown);
  return changes ? `'${text}` : text;
}
