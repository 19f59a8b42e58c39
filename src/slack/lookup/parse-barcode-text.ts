/**
 * Parser of the text after `/barcode`: help, or one exact barcode. Pure. Outer space is dropped, inner space stays.
 * Text in straight or curly double quotes is taken literally; without quotes `\x1d` is the separator of GS1 barcodes.
 */

/** The account's limit (contract, section 4), in code points: a character outside the BMP counts once. */
export const longestBarcode = 100;

export type BarcodeText =
  | { readonly kind: 'help' }
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'empty_quotes' }
  | { readonly kind: 'too_long'; readonly length: number };

/** Straight, curly, low and full-width quotes: phone keyboards differ by language. */
const quoted = /^["\u201c\u201d\u201e\u201f\uff02](.*)["\u201c\u201d\u201e\u201f\uff02]$/su;

const separator = /\\x1d/gi;

/** `text`: what followed the command, with Slack's escaping of `& < >` undone once. */
export function parseBarcodeText(text: string): BarcodeText {
  return isPlain(text, '') || isPlain(text, 'help') ? { kind: 'help' } : parseValueText(text);
}

/** For text that is a value even if it says "help": after `/barcode make`, or in a search. `text` must not be empty. */
export function parseValueText(text: string): Exclude<BarcodeText, { kind: 'help' }> {
  const typed = text.trim();
  const value = quoted.exec(typed)?.[1] ?? typed.replace(separator, '\u001d');
  if (value === '') {
    return { kind: 'empty_quotes' };
  }
  const length = [...value].length;
  return length > longestBarcode ? { kind: 'too_long', length } : { kind: 'value', value };
}

function isPlain(text: string, keyword: string): boolean {
  return text.trim().toLowerCase() === keyword;
}
