/**
 * The rows of an export as CSV. An exact file is RFC 4180 in UTF-8, each cell unchanged. One for spreadsheets has a
 * byte order mark, and an apostrophe before each cell that a spreadsheet in some language might not read as text, or
 * that begins with an apostrophe: without the first one, it is the text.
 */
import { stringify } from 'csv-stringify/sync';
import type { ExportMode } from './types.js';

/** `text`: outside text. All other columns are ours, and a spreadsheet may interpret them. */
export interface Column<Row> {
  readonly title: string;
  readonly text: boolean;
  readonly of: (row: Row) => string;
}

/** The byte order mark: Excel reads a file without one in the machine's own encoding. */
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
  // A cell with a line break of either kind is quoted: it ends a row for some readers.
  return stringify(rows as string[][], { record_delimiter: 'windows', quoted_match: /[\r\n]/ });
}

/**
 * The beginnings of a formula, as OWASP lists them, or of an error value, also behind invisible characters; or an
 * apostrophe.
 */
const special = /^[\t\r\n]|^[\p{Z}\p{C}]*[=+\-@#]|^'/u;
/** Characters that no number, date, amount or truth value has, in any language. */
const onlyInText = /[_*;"?!<>[\]{}|\\~^&=@#]|(?![\t\r\n])\p{Cc}/u;
/** A month, a currency or a truth value may be any word: of words alone, only several are surely a text. */
const severalWords = /[\p{L}\p{M}]\s+[\p{L}\p{M}]/u;

export function spreadsheetCell(text: string): string {
  // Full-width signs and digits count as the plain ones.
  const plain = text.normalize('NFKC');
  const isText = onlyInText.test(plain) || (severalWords.test(plain) && !/\p{N}/u.test(plain));
  return special.test(text) || special.test(plain) || (/[\p{L}\p{N}]/u.test(plain) && !isText) ? `'${text}` : text;
}
