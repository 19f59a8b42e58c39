/** An XML writer, to play the account's answers. */
import type { Element } from '../../src/codereadr/xml/xml.js';

const forbidden = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]|\p{Surrogate}/u;

/** Whether XML 1.0 can carry the text. It cannot carry a GS1 barcode with its separator (U+001D). */
export function fitsXml(text: string): boolean {
  return !forbidden.test(text);
}

export function encodeXml(root: Element): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${encodeElement(root)}`;
}

function encodeElement({ name, attributes, text, children }: Element): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  const content = escaped(text) + children.map(encodeElement).join('');
  return content === '' ? `<${name}${pairs.join('')}/>` : `<${name}${pairs.join('')}>${content}</${name}>`;
}

/** White space as references: a parser reads a bare CR as LF, and any of it in an attribute as spaces. */
function escaped(text: string): string {
  return text.replace(/[&<>"'\r\t\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}
