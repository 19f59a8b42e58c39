/**
 * A file of a database's values, .xlsx or CSV: barcode, response, validity, in that order or named by a header line in
 * any order, as Scandesk's exports write them. It is checked as a whole before anything is sent; what a person should
 * know of it is a finding. It is sent as CSV without header, barcodes exact.
 */
import { stringify } from 'csv-stringify/sync';
import { databases } from '../../../codereadr/operations/index.js';
import { schemaOf } from '../../../codereadr/operations/param-schema.js';
import {
  columnLabels,
  isExactColumn,
  isValueHeader,
  namedColumns,
  type ValueColumn,
  validityIn,
  valueColumns,
} from '../../../codereadr/operations/value-columns.js';
import { shortened } from '../../../exports/index.js';
import { csvRecords, decodeText, type FileRecord, rowError } from '../files/csv-records.js';
import { isXlsx, xlsxRecords } from '../files/xlsx-records.js';
import { type FindingKind, type Findings, invisible } from './findings.js';

export type ValueCells = Readonly<Record<ValueColumn, string>>;

export interface ValueRow {
  readonly line: number;
  readonly cells: ValueCells;
  /** The index, in the account's order, of the last value column that the file has. */
  readonly lastColumn: number;
}

export interface ValueFile {
  /** A first line that may be a header with other names; undefined: it is a known header, or a value. */
  readonly likelyHeader: readonly string[] | undefined;
  readonly rows: AsyncIterable<ValueRow>;
}

/** The number of records looked at to tell whether the first one is a header. */
const recordsCompared = 20;

/**
 * Opens a file of values. The rows are read while they are iterated. `skipsFirst`: whether a likely header is left out.
 * @throws FileError for the first row that the account could not take, by line and column
 */
export async function openValues(
  bytes: Uint8Array,
  findings: Findings,
  { skipsFirst = false }: { readonly skipsFirst?: boolean } = {},
): Promise<ValueFile> {
  const records = recordsOf(bytes, findings);
  const beginning: FileRecord[] = [];
  for (let next = await records.next(); !next.done; next = await records.next()) {
    beginning.push(next.value);
    if (beginning.length > recordsCompared) break;
  }
  const [first] = beginning;
  const hasHeader = first !== undefined && isValueHeader(first.cells);
  const isLikely = first !== undefined && !hasHeader && looksLikeHeader(first, beginning.slice(1));
  const isSkipped = hasHeader || (isLikely && skipsFirst);
  async function* rest(): AsyncGenerator<FileRecord> {
    yield* isSkipped ? beginning.slice(1) : beginning;
    yield* records;
  }
  return {
    likelyHeader: isLikely ? first.cells : undefined,
    rows: valueRows(rest(), hasHeader ? first : undefined, { findings, hasApostrophes: !isXlsx(bytes) }),
  };
}

function recordsOf(bytes: Uint8Array, findings: Findings): AsyncGenerator<FileRecord> {
  if (isXlsx(bytes)) {
    findings.add('first_sheet');
    return xlsxRecords(bytes);
  }
  const { text, encoding } = decodeText(bytes);
  if (encoding === 'Windows-1252') {
    const lines = text.split(/\r\n?|\n/, 1_000);
    const at = Math.max(
      0,
      lines.findIndex((line) => /[^\0-\x7f]/.test(line)),
    );
    findings.add('windows_1252', { line: at + 1, example: lines[at] ?? '' });
  }
  return csvRecords(text, isValueHeader);
}

/** Whether a line is unlike those below it: a word where they say yes or no, or no digit where their barcodes have one. */
function looksLikeHeader({ cells }: FileRecord, others: readonly FileRecord[]): boolean {
  const hasDigit = ({ cells: [barcode = ''] }: Pick<FileRecord, 'cells'>) => /\p{N}/u.test(barcode);
  const isWord = /\p{L}/u.test(cells[0] ?? '') && !hasDigit({ cells });
  return isWord && (validityIn(cells[2] ?? '') === undefined || (others.length > 0 && others.every(hasDigit)));
}

interface Reading {
  readonly findings: Findings;
  /** Whether Scandesk's exports of this kind of file have an apostrophe before some texts. */
  readonly hasApostrophes: boolean;
}

async function* valueRows(
  records: AsyncIterable<FileRecord>,
  header: FileRecord | undefined,
  { findings, hasApostrophes }: Reading,
): AsyncGenerator<ValueRow> {
  const columns = header ? columnsNamed(header, findings) : valueColumns;
  const exactAt = header?.cells.findIndex(isExactColumn) ?? -1;
  for await (const record of records) {
    const note = (kind: FindingKind, example: string) => findings.add(kind, { line: record.line, example });
    if (/^\s*no\s*$/i.test(record.cells[exactAt] ?? '')) {
      note('not_exact', record.cells[columns.indexOf('value')] ?? '');
      continue;
    }
    const cells = cellsOf(record, columns, note, {
      isExport: exactAt >= 0,
      hasApostrophes: hasApostrophes && exactAt >= 0,
    });
    const used = header ? columns : columns.slice(0, record.cells.length);
    const lastColumn = Math.max(...used.map((column) => (column ? valueColumns.indexOf(column) : 0)));
    yield { line: record.line, cells, lastColumn };
  }
}

/** What each column of the file holds; undefined: something else, which is not uploaded. */
function columnsNamed({ line, cells }: FileRecord, findings: Findings): readonly (ValueColumn | undefined)[] {
  const known = cells.map((cell) => (isExactColumn(cell) ? '' : cell));
  const others = known.filter((cell) => cell.trim() !== '' && 'wrong' in namedColumns([cell]));
  for (const example of others) {
    findings.add('column', { line, example });
  }
  const columns = namedColumns(known.map((cell) => (others.includes(cell) ? '' : cell)));
  if ('wrong' in columns) {
    throw rowError(line, columns.wrong + 1, columns.message);
  }
  return columns;
}

const barcode = schemaOf(databases.upsertvalue.input.value);
const spreadsheetError = /^#(?:N\/A|REF!|NAME\?|VALUE!|DIV\/0!|NULL!|NUM!)$/;

function cellsOf(
  { line, cells, kinds }: FileRecord,
  columns: readonly (ValueColumn | undefined)[],
  note: (kind: FindingKind, example: string) => void,
  { isExport, hasApostrophes }: { readonly isExport: boolean; readonly hasApostrophes: boolean },
): ValueCells {
  const cellsByColumn: Record<ValueColumn, string> = { value: '', response: '', validity: '' };
  for (const [index, cell] of cells.entries()) {
    const column = columns[index];
    if (column === undefined) {
      if (index >= columns.length && cell.trim() !== '') note('column', cell);
      continue;
    }
    const isMarked = hasApostrophes && column !== 'validity' && cell.startsWith("'");
    cellsByColumn[column] = isMarked ? cell.slice(1) : cell;
    if (isMarked) note('apostrophe_removed', cell);
    const kind = kinds?.[index];
    if (column === 'value') {
      const isShort =
        kind === 'rounded' || kind === 'date' || (kinds === undefined && !isMarked && shortened.test(cell));
      if (isShort) note('shortened', cell);
      else if (kind === 'number') note('number', cell);
      if (!isExport && cell.startsWith("'")) note('apostrophe', cell);
      if (invisible.test(cell)) note('invisible', cell);
      if (spreadsheetError.test(cell)) note('spreadsheet_error', cell);
    }
  }
  const problem = (column: ValueColumn, text: string) =>
    rowError(line, columns.indexOf(column) + 1, text, columnLabels[column]);
  const parsedBarcode = barcode.safeParse(cellsByColumn.value);
  if (cellsByColumn.value === '') {
    throw problem('value', 'the barcode is missing.');
  }
  if (!parsedBarcode.success) {
    throw problem('value', parsedBarcode.error.issues[0]?.message ?? 'this isn’t a barcode.');
  }
  const validity = validityIn(cellsByColumn.validity);
  if (validity === undefined) {
    throw problem(
      'validity',
      `“${cellsByColumn.validity.slice(0, 50)}” is neither Yes or 1 (valid) nor No or 0 (not valid).`,
    );
  }
  return { ...cellsByColumn, validity };
}

const rowsAtOnce = 1_000;

/** The rows as the account reads them. @throws FileError */
export async function* uploadedValues(rows: AsyncIterable<ValueRow>): AsyncGenerator<Uint8Array> {
  let lines: string[][] = [];
  const text = () => Buffer.from(stringify(lines, { quoted_match: /^\s|\s$|\r/ }));
  for await (const { cells, lastColumn } of rows) {
    lines.push(
      valueColumns
        .slice(0, lastColumn + 1)
        .map((column) => (column === 'validity' ? cells[column] || '1' : cells[column])),
    );
    if (lines.length >= rowsAtOnce) {
      yield text();
      lines = [];
    }
  }
  if (lines.length > 0) {
    yield text();
  }
}
