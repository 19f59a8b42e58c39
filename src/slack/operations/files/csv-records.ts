/**
 * The records of a CSV file, streamed: UTF-8 with or without a byte order mark, any line ends, cells exact. The first
 * line must leave no doubt about the separator.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { FileError } from './files.js';

export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The most characters of a record. */
const longestRecord = 100_000;

/** Reads the records. `isHeader`: whether the first line, under one separator, names columns. @throws FileError */
export async function* csvRecords(
  pieces: AsyncIterable<Uint8Array>,
  isHeader: (cells: readonly string[]) => boolean,
): AsyncGenerator<CsvRecord> {
  const texts = decoded(pieces);
  const beginning = await firstLine(texts);
  /** The line where the last whole record ends, for the place of an error: a record with an error is never yielded. */
  let completeLines = 0;
  const parser = parse({
    delimiter: separatorOf(beginning, isHeader),
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: longestRecord,
    info: true,
    on_record: (record, { lines }) => {
      completeLines = lines;
      return record;
    },
  });
  // A broken download ends the parser, whose error reports it.
  pipeline(Readable.from(withBeginning(beginning, texts)), parser).catch(() => undefined);
  let linesBefore = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      const isLong = record.some((cell) => /[\r\n]/.test(cell));
      yield { line: isLong ? linesBefore + 1 : info.lines, cells: record };
      linesBefore = info.lines;
    }
  } catch (error) {
    throw error instanceof CsvError ? rowError(lineOf(error, completeLines), columnOf(error), quoteProblem) : error;
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

async function* decoded(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let lines = 1;
  const decodePiece = (piece?: Uint8Array) => {
    try {
      const text = piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
      lines += text.split('\n').length - 1;
      return text;
    } catch (cause) {
      throw new FileError(
        'form.file_no_text',
        `The file isn’t UTF-8 text (near line ${(lines + linesIn(piece)).toLocaleString('en-US')}). In a spreadsheet, save it as “CSV UTF-8” and upload it again.`,
        cause,
      );
    }
  };
  for await (const piece of pieces) {
    yield decodePiece(piece);
  }
  yield decodePiece();
}

/** The number of line ends before the first byte that is no UTF-8. */
function linesIn(piece: Uint8Array = new Uint8Array()): number {
  let validLines = 0;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) {
    try {
      decoder.decode(piece.subarray(0, at + 1));
      validLines += 1;
    } catch {
      break;
    }
  }
  return validLines;
}

/** The text up to the end of its first line, with what was read beyond it. */
async function firstLine(texts: AsyncGenerator<string>): Promise<string> {
  let text = '';
  while (text.length <= longestRecord && !wholeLine.test(text)) {
    const next = await texts.next();
    if (next.done) {
      break;
    }
    text += next.value;
  }
  return text;
}

const wholeLine = /^(?:[^"\r\n]|"(?:[^"]|"")*")*[\r\n]/;

async function* withBeginning(beginning: string, texts: AsyncGenerator<string>): AsyncGenerator<string> {
  yield beginning;
  yield* texts;
}

const separators = [',', ';', '\t'] as const;
const separatorNames: Readonly<Record<string, string>> = { ',': 'a comma', ';': 'a semicolon', '\t': 'a tab' };

function separatorOf(beginning: string, isHeader: (cells: readonly string[]) => boolean): string {
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
