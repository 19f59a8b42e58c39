/** Outside text cut to a length as shown: a hidden character is shown by up to eight characters. */
import { countOf } from '../../english.js';
import { cut, type RichTextElement } from './elements.js';
import { barcodeElement, textElement, visible } from './text.js';

/** Outside text cut to a length as shown: a hidden character takes eight to show. */
export function shortText(text: string, longest: number, style?: { italic?: boolean }): RichTextElement {
  const element = textElement(cut(text, longest), style);
  return element.type === 'text' ? { ...element, text: cut(element.text, longest) } : element;
}

/** A barcode to the letter; of a longer one the beginning, and how long it is. */
export function shortBarcode(value: string, longest: number): RichTextElement[] {
  if (visible(value).length <= longest) {
    return [barcodeElement(value)];
  }
  const characters = [...value];
  // A hidden character is shown by up to eight characters.
  const head = characters.slice(0, longest - 10);
  const first = visible(head.join('')).length <= longest ? head : head.slice(0, Math.floor(longest / 10));
  return [barcodeElement(first.join('')), textElement(`… (${countOf(characters.length, 'character')})`)];
}

/** The most characters of a name in a line, which leaves space for what follows. */
const longestName = 50;

/** A name on one line, never read as markup. */
export function shortName(name: string, longest = longestName): string {
  return cut(visible(name.trim() === '' ? '(no name)' : name), longest);
}
