/**
 * Parser of a typed text: as one exact barcode, and as several, split at lines, then commas, then spaces. Pure. Whether
 * a text is split is decided by `resolve-barcodes.ts`: a barcode may hold commas and spaces.
 */
import { withHidden } from '../../codereadr/xml/hidden-characters.js';
import { isQuoted, quote, quotedText } from '../bolt/quotes.js';

/** What accounts take at most, once support has raised their limit (docs/account-api.md#a-call), in code points. */
export const longestBarcode = 500;
/** The most characters that a barcode takes in a button's value, where hidden ones take six each. */
const longestInButton = 1_700;

/** Whether a barcode is too long to be looked up. */
export function isTooLong(value: string): boolean {
  return [...value].length > longestBarcode || JSON.stringify(value).length > longestInButton;
}

export type BarcodeText =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'empty_quotes' }
  | { readonly kind: 'too_long'; readonly length: number };

/** A text, and the parts that it can be split into. No character inside a part is changed. */
export interface BarcodePiece {
  /** The text as it was typed, without outer space. */
  readonly text: string;
  /** The text as a single barcode. */
  readonly read: BarcodeText;
  /** Where the text can be split; undefined: nowhere, and there are no parts. */
  readonly splitAt?: SplitAt;
  readonly parts: readonly BarcodePiece[];
}

type SplitAt = 'line' | 'comma' | 'space';

/** A text that begins and ends with a quote, and what is between them: a barcode may hold quotes. */
const quoted = new RegExp(`^${quote}(.*)${quote}$`, 'su');
/** Text in quotes between separators, which is not split. */
const quotedPart = `(?<=^|[\\s,])${quotedText}(?=[\\s,]|$)`;

const separators: readonly (readonly [SplitAt, string])[] = [
  ['line', '[\\r\\n]'],
  ['comma', ','],
  ['space', '\\s'],
];

/**
 * Parses a text as one barcode. Text in double quotes is literal; without quotes `\x1d` and `␝` are GS1's separator, and
 * other hidden characters are typed so too.
 * `text`: with Slack's escaping of `& < >` undone once; not empty.
 */
export function parseBarcode(text: string): BarcodeText {
  const trimmedText = text.trim();
  const value = quoted.exec(trimmedText)?.[1] ?? withHidden(trimmedText);
  if (value === '') {
    return { kind: 'empty_quotes' };
  }
  const length = [...value].length;
  return isTooLong(value) ? { kind: 'too_long', length } : { kind: 'value', value };
}

/** Parses a typed text, which must not be blank. */
export function parseBarcodes(text: string): BarcodePiece {
  return pieceOf(text.trim(), separators);
}

function pieceOf(text: string, levels: typeof separators): BarcodePiece {
  const read = parseBarcode(text);
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
  return [...text.matchAll(part)].map(([found]) => found.trim()).filter((found) => barcodePart.test(found));
}

/** Part of a text that may be a barcode: one without a letter or digit, such as a dash, is none, unless it is in quotes. */
const barcodePart = new RegExp(`[\\p{L}\\p{N}]|${quotedPart}`, 'u');
