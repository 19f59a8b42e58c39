/** Outside text, barcodes and names cut to a length as shown: a hidden character shows as up to nine characters. */
import { countOf } from '../../english.js';
import { cut, type RichTextElement } from './elements.js';
import { barcodeElement, textElement, visible } from './text.js';

/** Outside text cut before and after its hidden characters are made visible. */
export function shortText(text: string, longest: number, style?: { italic?: boolean }): RichTextElement {
  const element = textElement(cut(text, longest), style);
  return element.type === 'text' ? { ...element, text: cut(element.text, longest) } : element;
}

/** A barcode to the letter; of a barcode that shows longer than `longest`, its beginning and its length. */
export function shortBarcode(value: string, longest: number): RichTextElement[] {
  if (visible(value).length <= longest) {
    return [barcodeElement(value)];
  }
  const characters = [...value];
  // `longest / 10` characters always fit, even if all of them are hidden.
  const head = characters.slice(0, longest - 10);
  const first = visible(head.join('')).length <= longest ? head : head.slice(0, Math.floor(longest / 10));
  return [barcodeElement(first.join('')), textElement(`… (${countOf(characters.length, 'character')})`)];
}

/** The most characters of a name in a line, which leaves space for what follows. */
const longestName = 50;

/** A name on one line, for rich text and plain text; in mrkdwn it needs `escaped`. */
export function shortName(name: string, longest = longestName): string {
  return cut(visible(name.trim() === '' ? '(no name)' : name), longest);
}
