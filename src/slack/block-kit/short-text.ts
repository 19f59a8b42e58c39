/** Short forms for one line: outside text, names. Pure. */
import { cut, type RichTextElement } from './elements.js';
import { textElement, visible } from './text.js';

/** Outside text cut to a length as shown: a hidden character takes eight to show. */
export function shortText(text: string, longest: number, style?: { italic?: boolean }): RichTextElement {
  const element = textElement(cut(text, longest), style);
  return element.type === 'text' ? { ...element, text: cut(element.text, longest) } : element;
}

/** Leaves space on the line for what follows a name. */
const longestName = 50;

/** A name on one line, letter by letter. */
export function shortName(name: string, longest = longestName): string {
  return cut(visible(name.trim() === '' ? '(no name)' : name), longest);
}
