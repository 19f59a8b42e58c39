/** Outside text cut to a length as shown: a hidden character takes eight to show. Pure. */
import { cut, type RichTextElement } from './elements.js';
import { textElement } from './text.js';

export function shortText(text: string, longest: number, style?: { italic?: boolean }): RichTextElement {
  const element = textElement(cut(text, longest), style);
  return element.type === 'text' ? { ...element, text: cut(element.text, longest) } : element;
}
