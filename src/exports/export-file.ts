/**
 * The file of an export, from its stored chunks. A chunk holds its rows as CSV as they are in the file, or as a line of
 * JSON for each row where the file is to be .xlsx, which is made of all of them while it is sent.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, steadyNow } from '../clock.js';
import { upperFirst } from '../english.js';
import { columnsOf } from './columns.js';
import { csvHeader, csvRows } from './csv.js';
import type { ExportFile, ExportRecord } from './types.js';
import { longestXlsxCell, mostXlsxRows, xlsxOf } from './xlsx.js';

/** The most rows that are written in one turn of the event loop. */
const rowsPerTurn = 250;
/** The longest pause after a chunk, which is as long as writing it took: people's work comes first. */
const longestPauseMs = 100;

type Rows = readonly (readonly string[])[];

/** The rows of a chunk as they are stored. */
export async function chunkText({ what, mode, chunks }: ExportRecord, rows: Rows): Promise<string> {
  const columns = columnsOf(what);
  let text = chunks > 0 || mode === 'xlsx' ? '' : csvHeader(columns, mode);
  for (let at = 0; at < rows.length; at += rowsPerTurn) {
    const some = rows.slice(at, at + rowsPerTurn);
    text += mode === 'xlsx' ? some.map((row) => `${JSON.stringify(row)}\n`).join('') : csvRows(columns, some, mode);
    await nextTurn();
  }
  return text;
}

export function hasLongCell(rows: Rows): boolean {
  return rows.some((row) => row.some((cell) => cell.length > longestXlsxCell));
}

/** The format of the file: an export that no .xlsx file can hold is CSV. */
export function formatOf({ mode, rows, position }: Pick<ExportRecord, 'mode' | 'rows' | 'position'>): 'xlsx' | 'csv' {
  return mode === 'xlsx' && rows < mostXlsxRows && !position.longCell ? 'xlsx' : 'csv';
}

/** The file; `chunks` is read from its beginning twice where the size of the file is not known before it is written. */
export async function fileOf(
  record: ExportRecord,
  chunks: () => AsyncIterable<Uint8Array>,
  clock: Clock,
): Promise<ExportFile> {
  const { what, mode, bytes } = record;
  const format = formatOf(record);
  if (mode !== 'xlsx') {
    return { format, bytes, content: chunks() };
  }
  const columns = columnsOf(what);
  const content =
    format === 'xlsx'
      ? () => xlsxOf(upperFirst(what.kind.replace('_', ' ')), columns, eachOf(storedRows(chunks(), clock)))
      : async function* () {
          yield Buffer.from(csvHeader(columns, 'spreadsheet'));
          for await (const rows of storedRows(chunks(), clock)) {
            yield Buffer.from(csvRows(columns, rows, 'spreadsheet'));
          }
        };
  let written = 0;
  for await (const piece of content()) {
    written += piece.byteLength;
  }
  return { format, bytes: written, content: content() };
}

/** The rows in the chunks, as many at a time as one turn of the event loop writes. */
async function* storedRows(chunks: AsyncIterable<Uint8Array>, clock: Clock): AsyncGenerator<Rows> {
  for await (const chunk of chunks) {
    const startedAt = steadyNow(clock);
    const lines = Buffer.from(chunk).toString().split('\n').slice(0, -1);
    for (let at = 0; at < lines.length; at += rowsPerTurn) {
      yield lines.slice(at, at + rowsPerTurn).map((line): string[] => JSON.parse(line));
      await nextTurn();
    }
    await clock.sleep(Math.min(longestPauseMs, steadyNow(clock) - startedAt));
  }
}

async function* eachOf(slices: AsyncIterable<Rows>): AsyncGenerator<readonly string[]> {
  for await (const rows of slices) {
    yield* rows;
  }
}
