/**
 * The rows of an export as CSV. An exact file is RFC 4180 in UTF-8, each cell unchanged. One for spreadsheets has a
 * byte order mark, and an apostrophe before each outside text that a spreadsheet would run as a formula, that looks like
 * a shortened number, or that begins with an apostrophe: what follows the first apostrophe is the text.
 */
import { stringify } from 'csv-stringify/sync';
import type { ColumnHead } from './columns.js';

export type CsvMode = 'exact' | 'spreadsheet';

/** The byte order mark: Excel reads a file without one in the machine's own encoding. */
const byteOrderMark = '\ufeff';

export function csvHeader(columns: readonly ColumnHead[], mode: CsvMode): string {
  return (mode === 'exact' ? '' : byteOrderMark) + toCsv([columns.map(({ title }) => title)]);
}

export function csvRows(
  columns: readonly Pick<ColumnHead, 'isText'>[],
  rows: readonly (readonly string[])[],
  mode: CsvMode,
): string {
  return toCsv(
    mode === 'exact'
      ? rows
      : rows.map((row) => row.map((cell, at) => (columns[at]?.isText ? spreadsheetCell(cell) : cell))),
  );
}

function toCsv(rows: readonly (readonly string[])[]): string {
  // A cell with a line break of either kind is quoted: it ends a row for some readers.
  return stringify(rows as string[][], { record_delimiter: 'windows', quoted_match: /[\r\n]/ });
}

/** The beginnings of a formula, as OWASP lists them, or of an error value, also behind invisible characters. */
const runs = /^[\t\r\n]|^[\p{Z}\p{C}]*[=+\-@#]/u;
/** A number as spreadsheets shorten it: an upload takes one without an apostrophe for a barcode that lost its digits. */
export const shortened = /^\s*[+-]?\d+(?:[.,]\d*)?E[+-]\d+\s*$/i;

export function spreadsheetCell(text: string): string {
  // Full-width signs and digits count as the plain ones.
  const isText = [text, text.normalize('NFKC')].every((form) => !runs.test(form) && !shortened.test(form));
  return isText && !text.startsWith("'") ? text : `'${text}`;
}
