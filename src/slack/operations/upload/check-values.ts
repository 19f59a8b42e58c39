/** The check of a file of values as a whole: how many there are, how many are new, and what to ask about. */
import { fold } from '../../../codereadr/barcode-equality.js';
import { valueColumns } from '../../../codereadr/operations/value-columns.js';
import { countOf, firstOf } from '../../../english.js';
import { FileError, tooLarge } from '../files/files.js';
import type { Known, ValueComparison } from './compare-values.js';
import { createFindings, type Finding, type FindingKind } from './findings.js';
import { openValues, uploadedValues, type ValueCells, type ValueRow } from './value-file.js';

export interface CheckedValues {
  /** The number of barcodes but for a likely header; one that is there twice counts once. */
  readonly count: number;
  /** How many the database has already, as of when; undefined: nobody knows. */
  readonly known: (Readonly<Record<Known, number>> & { readonly asOf: number }) | undefined;
  readonly likelyHeader: readonly string[] | undefined;
  readonly first: readonly ValueRow[];
  readonly findings: (kind: FindingKind) => Finding | undefined;
}

export interface ValueCheckOptions {
  readonly maxBytes: number;
  /** Whether the database takes `abc` and `ABC` for two values. */
  readonly caseSensitive?: boolean | undefined;
  /** Whether the account removes spaces around barcodes. */
  readonly trims: boolean;
  readonly comparison: ValueComparison | undefined;
}

const mostPreviewed = 3;
const rowsCompared = 500;
/** The characters that the account removes around barcodes. */
const outer = /^[ \t\n\r\0\v]+|[ \t\n\r\0\v]+$/g;

/** @throws FileError for a file that the account could not take, or whose barcodes a spreadsheet shortened */
export async function checkValues(bytes: Uint8Array, options: ValueCheckOptions): Promise<CheckedValues> {
  const { maxBytes, caseSensitive, trims, comparison } = options;
  const findings = createFindings();
  const { likelyHeader, rows } = await openValues(bytes, findings, { skipsFirst: true });
  const known = { new: 0, changed: 0, same: 0, unknown: 0 };
  const seenKeys = new Set<string>();
  const first: ValueRow[] = [];
  let waiting: ValueCells[] = [];
  const compareWaiting = async () => {
    const all = comparison ? await comparison.compare(waiting) : [];
    for (const one of all) known[one] += 1;
    waiting = [];
  };
  async function* checked(): AsyncGenerator<ValueRow> {
    for await (const row of rows) {
      const spelled = trims ? row.cells.value.replace(outer, '') : row.cells.value;
      if (row.lastColumn < valueColumns.indexOf('response')) findings.add('no_response');
      if (spelled !== row.cells.value) findings.add('spaces', { line: row.line, example: row.cells.value });
      const key = caseSensitive === true ? spelled : fold(spelled);
      if (seenKeys.has(key)) {
        findings.add('twice', { line: row.line, example: row.cells.value });
      } else {
        seenKeys.add(key);
        waiting.push({ ...row.cells, value: spelled });
        if (first.length < mostPreviewed) first.push(row);
      }
      if (waiting.length >= rowsCompared) await compareWaiting();
      yield row;
    }
  }
  let sentBytes = 0;
  for await (const piece of uploadedValues(checked())) {
    sentBytes += piece.byteLength;
  }
  await compareWaiting();
  const shortened = findings.of('shortened');
  if (shortened) {
    throw new FileError('form.file_row', shortenedText(shortened));
  }
  if (sentBytes > maxBytes) {
    throw new FileError('form.file_too_large', tooLarge(sentBytes, maxBytes));
  }
  if (seenKeys.size === 0) {
    throw new FileError('form.file_row', 'The file contains no values.');
  }
  return {
    count: seenKeys.size,
    known: comparison && { ...known, asOf: comparison.asOf },
    likelyHeader,
    first,
    findings: findings.of,
  };
}

function shortenedText({ count, places }: Finding): string {
  const shown = places.map(({ line, example }) => `line ${line.toLocaleString('en-US')}: ${example}`);
  return `A spreadsheet changed ${countOf(count, 'barcode')} into ${count === 1 ? 'a number or a date' : 'numbers or dates'}, so digits are lost (${firstOf(shown, count - shown.length)}). Enter them again in columns formatted as text, and upload the file as .xlsx.`;
}
