/**
 * The records of a CSV file: UTF-8, UTF-16 or Windows-1252, any line ends, cells exact. The separator is the one that a
 * first line `sep=;` names, else the first line must leave no doubt about it.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { FileError } from './files.js';

/** A cell of an .xlsx file that is no text, so that the barcode meant may be another one. */
export type CellKind = 'number' | 'rounded' | 'date';

export interface FileRecord {
  readonly line: number;
  readonly cells: readonly string[];
  /** The cells that are no texts, by index; undefined: the file has no kinds of cells, it is CSV. */
  readonly kinds?: Readonly<Record<number, CellKind>>;
}

/** The most characters of a record. */
const longestRecord = 100_000;
/** The characters that are parsed in one turn of the event loop. */
const charactersPerTurn = 64_000;

export interface FileText {
  readonly text: string;
  readonly encoding: 'UTF-8' | 'UTF-16' | 'Windows-1252';
}

/** The bytes of Windows-1252 from 0x80 on, where it differs from Latin 1. `TextDecoder` of some versions mixes them. */
const fromByte80 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** The text of the file without a byte order mark. @throws FileError for a file that is no text */
export function decodeText(bytes: Uint8Array): FileText {
  const [first = 0, second = 0] = bytes;
  const isLittle = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0 && bytes.length > 1);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  const file: FileText =
    isLittle || isBig
      ? { text: new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be').decode(bytes), encoding: 'UTF-16' }
      : decodeBytes(bytes);
  if (file.text.includes('\0')) {
    throw new FileError(
      'form.file_no_text',
      'The file isn’t a CSV or .xlsx file. In a spreadsheet, save it as .xlsx or as “CSV UTF-8” and upload it again.',
    );
  }
  return file;
}

function decodeBytes(bytes: Uint8Array): FileText {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' };
  } catch {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    const replaced = text.replace(/[\x80-\x9f]/g, (character) => fromByte80[character.charCodeAt(0) - 0x80] ?? '');
    return { text: replaced, encoding: 'Windows-1252' };
  }
}

/** Reads the records. `isHeader`: whether the first line, under one separator, names columns. @throws FileError */
export async function* csvRecords(
  text: string,
  isHeader: (cells: readonly string[]) => boolean,
): AsyncGenerator<FileRecord> {
  const [named = '', separator] = /^sep=([^\r\n])(?:\r\n?|\n)/i.exec(text) ?? [];
  const content = text.slice(named.length);
  const linesNamed = named === '' ? 0 : 1;
  /** The line where the last whole record ends, for the place of an error: a record with an error is never yielded. */
  let completeLines = 0;
  const parser = parse({
    delimiter: separator ?? separatorOf(content, isHeader),
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: longestRecord,
    info: true,
    on_record: (record, { lines }) => {
      completeLines = lines;
      return record;
    },
  });
  // An error ends the parser, which reports it below.
  pipeline(Readable.from(slicesOf(content)), parser).catch(() => undefined);
  let linesBefore = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      const isLong = record.some((cell) => /[\r\n]/.test(cell));
      yield { line: linesNamed + (isLong ? linesBefore + 1 : info.lines), cells: record };
      linesBefore = info.lines;
    }
  } catch (error) {
    throw error instanceof CsvError
      ? rowError(linesNamed + lineOf(error, completeLines), columnOf(error), quoteProblem)
      : error;
  }
}

/** The error about a row. @param column counted from 1 */
export function rowError(line: number, column: number | undefined, problem: string, name?: string): FileError {
  const place = column === undefined ? '' : `, column ${column}${name === undefined ? '' : ` (${name})`}`;
  return new FileError('form.file_row', `Line ${line.toLocaleString('en-US')}${place}: ${problem}`);
}

const quoteProblem =
  'Check the quotes. A text that starts with a quote must end with one, and quotes inside it are doubled.';

/** The line of an error. A quote that never ends is reported where its record begins. */
function lineOf({ code, lines }: CsvError, before: number): number {
  return code !== 'CSV_QUOTE_NOT_CLOSED' && typeof lines === 'number' ? lines : before + 1;
}

function columnOf({ column }: CsvError): number | undefined {
  return typeof column === 'number' ? column + 1 : undefined;
}

async function* slicesOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += charactersPerTurn) {
    await nextTurn();
    yield text.slice(at, at + charactersPerTurn);
  }
}

const wholeLine = /^(?:[^"\r\n]|"(?:[^"]|"")*")*[\r\n]/;
const separators = [',', ';', '\t'] as const;
const separatorNames: Readonly<Record<string, string>> = { ',': 'a comma', ';': 'a semicolon', '\t': 'a tab' };

function separatorOf(text: string, isHeader: (cells: readonly string[]) => boolean): string {
  const beginning = text.slice(0, longestRecord);
  const line = (wholeLine.exec(beginning)?.[0] ?? beginning).replace(/[\r\n]+$/, '');
  const bare = line.replace(/"(?:[^"]|"")*"/g, '""');
  const usedSeparators = separators.filter((separator) => bare.includes(separator));
  if (usedSeparators.length <= 1) {
    return usedSeparators[0] ?? ',';
  }
  const cellsBy = (separator: string) => bare.split(separator).map((cell) => cell.replace(/^"(.*)"$/, '$1'));
  const headers = usedSeparators.filter((separator) => isHeader(cellsBy(separator)));
  const likely = usedSeparators.filter((separator) => {
    const cells = cellsBy(separator);
    return cells.length === 3 && /^[01]$/.test(cells[2]!.trim());
  });
  const [certain, ...otherSeparators] = headers.length > 0 ? headers : likely;
  if (certain === undefined || otherSeparators.length > 0) {
    throw rowError(
      1,
      undefined,
      `it isn’t clear whether ${usedSeparators.map((each) => separatorNames[each]).join(' or ')} separates the columns. Put quotes around texts that contain one, or add the header line barcode,response,validity.`,
    );
  }
  return certain;
}
