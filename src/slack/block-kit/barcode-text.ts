/**
 * Owns what a person meant by the text after `/barcode`: help, or one barcode, exactly. Pure.
 *
 * Space around the text belongs to typing, not to the barcode; inside it stays. Text in double quotes, straight or as
 * phones curl them, is taken to the letter: `"help"`, `" 00123 "`, `"\x1d"`. Without quotes `\x1d` stands for the
 * separator of GS1 barcodes, which no keyboard has.
 */

/** The account takes no longer ones (contract, section 4). Counted as people count: a character outside the BMP is one. */
export const longestBarcode = 100;

export type BarcodeText =
  | { readonly kind: 'help' }
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'empty_quotes' }
  | { readonly kind: 'too_long'; readonly length: number };

/** Straight, and every curled form that keyboards of any country put at either end. */
const quoted = /^["\u201c\u201d\u201e\u201f\uff02](.*)["\u201c\u201d\u201e\u201f\uff02]$/su;

const separator = /\\x1d/gi;

/** `text`: what followed the command, with Slack's escaping of `& < >` already undone, once. */
export function readBarcodeText(text: string): BarcodeText {
  return isPlain(text, '') || isPlain(text, 'help') ? { kind: 'help' } : readValueText(text);
}

/** The same where no word is a command: the text after `/barcode make`, or in a search. Not for an empty text. */
export function readValueText(text: string): Exclude<BarcodeText, { kind: 'help' }> {
  const typed = text.trim();
  const value = quoted.exec(typed)?.[1] ?? typed.replace(separator, '\u001d');
  if (value === '') {
    return { kind: 'empty_quotes' };
  }
  const length = [...value].length;
  return length > longestBarcode ? { kind: 'too_long', length } : { kind: 'value', value };
}

function isPlain(text: string, word: string): boolean {
  return text.trim().toLowerCase() === word;
}
