/**
 * A CSV reader: comma, semicolon or tab, whichever the first line has most of; quotes; a byte order mark; no header
 * row. Anything that is no CSV is refused (1026). Cells keep every space.
 */
import type { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { Refusal } from './answer/refusal.js';

export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

const mostInOneLine = 100_000;

/** Reads a CSV file row by row. @throws Refusal 1026 */
export async function* readCsv(source: Readable): AsyncGenerator<CsvRow> {
  const beginning: Buffer[] = [];
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let isEnded = false;
  while (!isEnded && !beginning.some((part) => part.includes(10))) {
    const next = await chunks.next();
    if (next.done) isEnded = true;
    else beginning.push(next.value);
    if (beginning.reduce((sum, part) => sum + part.length, 0) > mostInOneLine) break;
  }
  const firstText = Buffer.concat(beginning).toString('utf8');
  const parser = parse({
    bom: true,
    delimiter: separatorOf(firstText.split('\n', 1)[0] ?? ''),
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: mostInOneLine,
    info: true,
  });
  feed(parser, beginning, chunks).catch((error: unknown) => parser.destroy(error as Error));
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (record.some((cell) => cell.includes('\0'))) throw new Refusal('1026', 'The file holds binary data.');
      yield { line: info.lines, cells: record };
    }
  } catch (error) {
    if (error instanceof CsvError) throw new Refusal('1026', `It cannot be read${lineOf(error)}.`);
    throw error;
  } finally {
    source.destroy();
  }
}

async function feed(
  parser: ReturnType<typeof parse>,
  beginning: readonly Buffer[],
  rest: AsyncIterator<Buffer>,
): Promise<void> {
  for (const part of beginning) await writePart(parser, part);
  for (let next = await rest.next(); !next.done; next = await rest.next()) await writePart(parser, next.value);
  parser.end();
}

async function writePart(parser: ReturnType<typeof parse>, part: Buffer): Promise<void> {
  if (parser.destroyed || parser.write(part)) return;
  await new Promise<void>((resolve) => {
    const go = (): void => {
      parser.off('drain', go).off('close', go);
      resolve();
    };
    parser.once('drain', go).once('close', go);
  });
}

/** The separator of a line, looked for outside quoted parts. */
function separatorOf(line: string): string {
  const bare = line.replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((mark) => [mark, bare.split(mark).length] as const);
  return counts.reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

function lineOf(error: CsvError): string {
  return typeof error.lines === 'number' ? `, line ${error.lines}` : '';
}
