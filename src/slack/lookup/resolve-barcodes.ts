/**
 * The barcodes that a text holds, found out by reading their lookups, the whole first. A text is split only if it is
 * unknown or too long as one barcode, and at spaces only if a part is known. Each line is a text of its own.
 */
import type { AccountError } from '../../codereadr/types.js';
import { isUnknown, type Lookup } from '../../lookup/index.js';
import type { BarcodePiece } from './parse-barcodes.js';

/** The most barcodes of one answer: nobody reads a longer list on a phone. */
export const mostBarcodes = 20;

/** How many lookups run at once: each asks several databases. */
const rowsAtOnce = 4;

export type BarcodeResult =
  | { readonly kind: 'answered'; readonly value: string; readonly lookup: Lookup }
  | { readonly kind: 'failed'; readonly value: string; readonly error: AccountError }
  | { readonly kind: 'too_long'; readonly value: string; readonly length: number };

export type ReadBarcode = (value: string) => Promise<Exclude<BarcodeResult, { kind: 'too_long' }>>;

export interface Resolved {
  /** Results for each barcode once, in the typed order; at least one, unless nothing is between quotes. */
  readonly results: readonly BarcodeResult[];
  /** Barcodes beyond the limit, which have no result. */
  readonly leftOut: readonly string[];
  /** Whether the text was split at commas or spaces, and not all of what came of it was found. */
  readonly parted: boolean;
  /** The text as one barcode, where neither the text nor any part was found. */
  readonly whole?: BarcodeResult;
}

interface Row {
  readonly piece: BarcodePiece;
  readonly parent?: Row;
  readonly result?: BarcodeResult;
}

export async function resolveBarcodes(root: BarcodePiece, readBarcode: ReadBarcode): Promise<Resolved> {
  const leftOut: string[] = [];
  let rows: readonly Row[] = [{ piece: root }];
  for (;;) {
    rows = await inParallel(rows, (row) => answerRow(row, readBarcode));
    if (!rows.some(isSplit)) {
      break;
    }
    const parts = uniqueRows(
      rows.flatMap((row): Row[] => (isSplit(row) ? row.piece.parts.map((piece) => ({ piece, parent: row })) : [row])),
    );
    leftOut.push(
      ...parts.slice(mostBarcodes).map(({ piece: { read, text } }) => (read.kind === 'value' ? read.value : text)),
    );
    rows = parts.slice(0, mostBarcodes);
  }
  const joinedRows = rejoined(rows);
  const first = rows[0] && rootOf(rows[0]);
  const whole = first && !isOnePart(first) ? first.result : undefined;
  return {
    results: joinedRows.flatMap(({ result }) => result ?? []),
    leftOut,
    parted: joinedRows.some((row) => row.parent && row.parent.piece.splitAt !== 'line' && !isFound(row)),
    ...(whole && !joinedRows.some(isFound) ? { whole } : {}),
  };
}

/** Reads barcodes that need no splitting. */
export function readEach(values: readonly string[], read: ReadBarcode): Promise<readonly BarcodeResult[]> {
  return inParallel(values, read);
}

async function answerRow(row: Row, readBarcode: ReadBarcode): Promise<Row> {
  const { read: typedText, splitAt } = row.piece;
  if (row.result || splitAt === 'line' || typedText.kind === 'empty_quotes') {
    return row;
  }
  return {
    ...row,
    result:
      typedText.kind === 'too_long'
        ? { kind: 'too_long', value: row.piece.text, length: typedText.length }
        : await readBarcode(typedText.value),
  };
}

function isSplit({ piece, result }: Row): boolean {
  return piece.parts.length > 0 && (piece.splitAt === 'line' || result?.kind === 'too_long' || isNotFound(result));
}

function isNotFound(result: BarcodeResult | undefined): boolean {
  return result?.kind === 'answered' && isUnknown(result.lookup);
}

/** Whether a barcode was found. A barcode that could not be searched for counts as found, since it may exist. */
function isFound({ result }: Row): boolean {
  return result?.kind === 'failed' || (result?.kind === 'answered' && !isNotFound(result));
}

/** Joins parts between spaces, none of which was found, to one barcode again. */
function rejoined(rows: readonly Row[]): readonly Row[] {
  const found = new Set(rows.filter(isFound).map(({ parent }) => parent));
  const joined = rows.map((row) =>
    row.parent?.piece.splitAt === 'space' && !found.has(row.parent) && !isOnePart(row.parent) ? row.parent : row,
  );
  return [...new Set(joined)];
}

/** Whether a single part between spaces may be a barcode, as in “> 0123”. */
function isOnePart({ piece: { splitAt, parts } }: Row): boolean {
  return splitAt === 'space' && parts.length === 1;
}

function rootOf(row: Row): Row {
  return row.parent ? rootOf(row.parent) : row;
}

/** The first row of each barcode. */
function uniqueRows(rows: readonly Row[]): readonly Row[] {
  const seen = new Set<string>();
  return rows.filter(({ piece: { read, text } }) => {
    const key = read.kind === 'value' ? read.value : text;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/** The results of work on each item, in the order of the items. */
async function inParallel<Item, Done>(items: readonly Item[], work: (item: Item) => Promise<Done>): Promise<Done[]> {
  const results: Done[] = [];
  const queue = [...items.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      results[next[0]] = await work(next[1]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(rowsAtOnce, items.length) }, worker));
  return results;
}
