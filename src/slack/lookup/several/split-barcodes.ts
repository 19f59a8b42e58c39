/**
 * Splitter of a text with several barcodes: at lines, then commas, then spaces. Pure; it says how a text can be split,
 * not whether: a barcode may hold commas and spaces. No character inside a part is changed; text in quotes stays whole.
 */
import { type BarcodeText, parseValueText } from '../parse-barcode-text.js';

export interface BarcodePiece {
  /** As it was typed, without outer space. */
  readonly text: string;
  /** The text as a single barcode. */
  readonly read: BarcodeText;
  /** Undefined: it cannot be split, and there are no parts. */
  readonly splitAt?: SplitAt;
  readonly parts: readonly BarcodePiece[];
}

export type SplitAt = 'line' | 'comma' | 'space';

/** As in `parseValueText`. */
const quotes = '["\\u201c\\u201d\\u201e\\u201f\\uff02]';
const noQuotes = quotes.replace('[', '[^');
const quotedText = `${quotes}${noQuotes}*${quotes}`;
const isQuoted = new RegExp(`^${quotedText}$`, 'u');
/** Text in quotes between separators: what is within is not split. */
const quotedPart = `(?<=^|[\\s,])${quotedText}(?=[\\s,]|$)`;

const separators: readonly (readonly [SplitAt, string])[] = [
  ['line', '[\\r\\n]'],
  ['comma', ','],
  ['space', '\\s'],
];

/** `text` must not be blank. */
export function splitBarcodes(text: string): BarcodePiece {
  return pieceOf(text.trim(), separators);
}

function pieceOf(text: string, levels: typeof separators): BarcodePiece {
  const read = parseValueText(text);
  for (const [at, [splitAt, separator]] of isQuoted.test(text) ? [] : levels.entries()) {
    const parts = partsOf(text, separator);
    if (parts.some((part) => part !== text)) {
      return { text, read, splitAt, parts: parts.map((part) => pieceOf(part, levels.slice(at + 1))) };
    }
  }
  return { text, read, parts: [] };
}

function partsOf(text: string, separator: string): readonly string[] {
  const part = new RegExp(`(?:${quotedPart}|(?!${separator})[^])+`, 'gu');
  return [...text.matchAll(part)].map(([found]) => found.trim()).filter((found) => found !== '');
}
