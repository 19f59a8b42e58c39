/**
 * A CSV file of a database's values: barcode, response, validity, in that order or named by a header line in any order.
 * It is checked as a whole before anything is sent, and sent as the account reads it: without header, barcodes exact.
 */
import { stringify } from 'csv-stringify/sync';
import { databases } from '../../../codereadr/operations/index.js';
import { schemaOf } from '../../../codereadr/operations/param-schema.js';
import {
  columnLabels,
  isValueHeader,
  namedColumns,
  type ValueColumn,
  valueColumns,
} from '../../../codereadr/operations/value-columns.js';
import { type CsvRecord, csvRecords, rowError } from './csv-records.js';
import { FileError } from './files.js';

/** What each column of the file holds; undefined: the column is empty, and the header line has no name for it. */
type Columns = readonly (ValueColumn | undefined)[];

export interface CheckedValues {
  readonly count: number;
  /** Whether a header line named the columns. */
  readonly hasHeader: boolean;
  readonly firstBarcodes: readonly string[];
}

const mostPreviewed = 3;

/** Checks a file. @throws FileError for the first row that the account could not take, by line and column */
export async function checkValues(pieces: AsyncIterable<Uint8Array>): Promise<CheckedValues> {
  let count = 0;
  let hasHeader = false;
  const firstBarcodes: string[] = [];
  for await (const row of valueRows(pieces)) {
    hasHeader = row.hasHeader;
    count += 1;
    if (firstBarcodes.length < mostPreviewed) {
      firstBarcodes.push(row.cells.value);
    }
  }
  if (count === 0) {
    throw new FileError('form.file_row', 'The file contains no values.');
  }
  return { count, hasHeader, firstBarcodes };
}

const rowsAtOnce = 1_000;

/** The file as the account reads it. @throws FileError */
export async function* uploadedValues(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rows: string[][] = [];
  const text = () => Buffer.from(stringify(rows, { quoted_match: /^\s|\s$|\r/ }));
  for await (const { cells, lastColumn } of valueRows(pieces)) {
    rows.push(
      valueColumns
        .slice(0, lastColumn + 1)
        .map((column) => (column === 'validity' ? cells[column] || '1' : cells[column])),
    );
    if (rows.length >= rowsAtOnce) {
      yield text();
      rows = [];
    }
  }
  if (rows.length > 0) {
    yield text();
  }
}

interface ValueRow {
  readonly cells: Readonly<Record<ValueColumn, string>>;
  readonly hasHeader: boolean;
  /** The index, in the account's order, of the last value column that the file has. */
  readonly lastColumn: number;
}

async function* valueRows(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ValueRow> {
  let columns: Columns | undefined;
  let hasHeader = false;
  for await (const record of csvRecords(pieces, isValueHeader)) {
    if (columns === undefined) {
      hasHeader = isValueHeader(record.cells);
      columns = hasHeader ? columnsNamed(record) : valueColumns;
      if (hasHeader) {
        continue;
      }
    }
    const cells = cellsOf(record, columns, hasHeader);
    const used = hasHeader ? columns : columns.slice(0, record.cells.length);
    const lastColumn = Math.max(...used.map((column) => (column ? valueColumns.indexOf(column) : 0)));
    yield { cells, hasHeader, lastColumn };
  }
}

function columnsNamed({ line, cells }: CsvRecord): Columns {
  const columns = namedColumns(cells);
  if ('wrong' in columns) {
    throw rowError(line, columns.wrong + 1, columns.message);
  }
  return columns;
}

const barcode = schemaOf(databases.upsertvalue.input.value);

function cellsOf({ line, cells }: CsvRecord, columns: Columns, hasHeader: boolean): ValueRow['cells'] {
  const cellsByColumn: Record<ValueColumn, string> = { value: '', response: '', validity: '' };
  for (const [index, cell] of cells.entries()) {
    const column = columns[index];
    if (column !== undefined) {
      cellsByColumn[column] = cell;
    } else if (cell.trim() !== '') {
      throw rowError(
        line,
        index + 1,
        `a line has at most ${columns.length} columns${hasHeader ? ', as the header line' : ': barcode, response, validity'}.`,
      );
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
  if (!/^\s*[01]?\s*$/.test(cellsByColumn.validity)) {
    throw problem('validity', `“${cellsByColumn.validity.slice(0, 50)}” is neither 1 (valid) nor 0 (not valid).`);
  }
  return { ...cellsByColumn, validity: cellsByColumn.validity.trim() };
}
