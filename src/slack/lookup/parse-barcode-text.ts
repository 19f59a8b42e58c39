/**
 * Parser of a typed text as one exact barcode. Pure. Outer space is dropped, inner space stays.
 * Text in straight or curly double quotes is taken literally; without quotes `\x1d` is the separator of GS1 barcodes.
 */

/** The account's limit (contract, section 4), in code points: a character outside the BMP counts once. */
export const longestBarcode = 100;

export type BarcodeText =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'empty_quotes' }
  | { readonly kind: 'too_long'; readonly length: number };

/** Straight, curly, low and full-width quotes: phone keyboards differ by language. */
const quoted = /^["\u201c\u201d\u201e\u201f\uff02](.*)["\u201c\u201d\u201e\u201f\uff02]$/su;

const separator = /\\x1d/gi;

/** `text`: with Slack's escaping of `& < >` undone once; not empty. */
export function parseValueText(text: string): BarcodeText {
  const typed = text.trim();
  const value = quoted.exec(typed)?.[1] ?? typed.replace(separator, '\u001d');
  if (value === '') {
    return { kind: 'empty_quotes' };
  }
  const length = [...value].length;
  return length > longestBarcode ? { kind: 'too_long', length } : { kind: 'value', value };
}
