/**
 * The rows of an export as an .xlsx file, written as a stream: every outside text is a text cell, so that it stays what
 * it is; the first row is bold and stays in view. The same rows make the same bytes.
 */
import { type CellStyle, type ColumnDef, writeXlsxStream } from 'hucre/xlsx';
import type { ColumnHead } from './columns.js';

/** The limits of .xlsx: rows of a sheet, with the header, and UTF-16 units of a cell. */
export const mostXlsxRows = 1_048_576;
export const longestXlsxCell = 32_767;

const header: CellStyle = { font: { bold: true } };
/** The format *Text*: what somebody enters in the cell later stays a text, too. */
const text: CellStyle = { numFmt: '@' };
const plain: CellStyle = {};

export function xlsxOf(
  name: string,
  columns: readonly ColumnHead[],
  rows: AsyncIterable<readonly string[]>,
): AsyncIterable<Uint8Array> {
  const styled: ColumnDef[] = columns.map(({ title, isText }) => ({
    width: Math.max(title.length + 2, isText ? 22 : 12),
    style: header,
  }));
  async function* withHeader() {
    yield columns.map(({ title }) => title);
    // A column has one style at a time. When the next row is asked for, the header is written.
    for (const [at, { isText }] of columns.entries()) {
      styled[at]!.style = isText ? text : plain;
    }
    for await (const row of rows) {
      yield row.map((cell, at) => cellOf(cell, columns[at]?.isText ?? true));
    }
  }
  return writeXlsxStream(withHeader(), { name, columns: styled, freezePane: { rows: 1 } });
}

function cellOf(cell: string, isText: boolean): string | number | null {
  if (!isText && /^\d{1,15}$/.test(cell)) {
    return Number(cell);
  }
  return cell === '' ? null : escapedText(cell);
}

/** An underscore that begins, or would begin once control characters are written by number, what reads as a character. */
const likeEscape = /_(?=x[0-9A-Fa-f]{4}(?:_|[^\t\n\P{Cc}\u007f-\u009f]|[\ufffe\uffff\p{Cs}]))/gu;
/** Characters that XML cannot hold, and that the library does not write by number. */
const notInXml = /[\ufffe\uffff\p{Cs}]/gu;

/** A text as .xlsx files write it: `_x0041_` stands for A, so a text that looks so is told apart. */
function escapedText(cell: string): string {
  return cell
    .replace(likeEscape, '_x005F_')
    .replace(notInXml, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);
}
