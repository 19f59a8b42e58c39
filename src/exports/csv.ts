/**
 * The rows of an export as CSV. An exact file is RFC 4180 in UTF-8, each cell unchanged. One for spreadsheets has a
 * byte order mark, and an apostrophe before each outside text that a spreadsheet in some language might not read as
 * text, or that begins with an apostrophe: what follows the first apostrophe is the text.
 */
import { stringify } from 'csv-stringify/sync';
import type { ExportMode } from './types.js';

/** `isText`: the cells are outside text. Other cells are Scandesk's, and a spreadsheet may interpret them. */
export interface Column<Row> {
  readonly title: string;
  readonly isText: boolean;
  readonly cell: (row: Row) => string;
}

/** The byte order mark: Excel reads a file without one in the machine's own encoding. */
const byteOrderMark = '\ufeff';

export function csvHeader(columns: readonly Column<never>[], mode: ExportMode): string {
  return (mode === 'exact' ? '' : byteOrderMark) + toCsv([columns.map(({ title }) => title)]);
}

export function csvRows<Row>(columns: readonly Column<Row>[], rows: readonly Row[], mode: ExportMode): string {
  return toCsv(
    rows.map((row) =>
      columns.map(({ isText, cell }) => (mode === 'spreadsheet' && isText ? spreadsheetCell(cell(row)) : cell(row))),
    ),
  );
}

function toCsv(rows: readonly (readonly string[])[]): string {
  // A cell with a line break of either kind is quoted: it ends a row for some readers.
  return stringify(rows as string[][], { record_delimiter: 'windows', quoted_match: /[\r\n]/ });
}

/**
 * The beginnings of a formula, as OWASP lists them, or of an error value, also behind invisible characters; or an
 * apostrophe.
 */
const badStart = /^[\t\r\n]|^[\p{Z}\p{C}]*[=+\-@#]|^'/u;
/** Characters that no number, date, amount or truth value has, in any language. */
const onlyInText = /[_*;"?!<>[\]{}|\\~^&=@#]|(?![\t\r\n])\p{Cc}/u;
/** A single word may be a month, a currency or a truth value in some language; several without a digit are a text. */
const severalWords = /[\p{L}\p{M}]\s+[\p{L}\p{M}]/u;

/** A number as spreadsheets shorten it. */
export const shortened = /^\s*[+-]?\d+(?:[.,]\d*)?E[+-]\d+\s*$/i;

export function spreadsheetCell(text: string): string {
  // Full-width signs and digits count as the plain ones.
  const plain = text.normalize('NFKC');
  const isText = onlyInText.test(plain) || (severalWords.test(plain) && !/\p{N}/u.test(plain));
  return badStart.test(text) || badStart.test(plain) || (/[\p{L}\p{N}]/u.test(plain) && !isText) ? `'${text}` : text;
}
