/**
 * The XML writer, strict XML 1.0: every value reads back unchanged, except for control characters that XML cannot
 * carry. These characters are lost, as in the real service's answers.
 */

/** A piece of finished XML, created by `element`; `operations/uploads.ts` removes end tags from it for a fault. */
export type Xml = string & { readonly xml: unique symbol };

type Attributes = Readonly<Record<string, string | number>>;

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Characters that not even a reference may name: a parser that accepts `&#29;` is not conformant. A GS1 barcode's
 * separator is among them.
 */
const uncarried = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/** Escapes a text. A bare carriage return would be read back as a line feed, so it becomes a reference. */
export function escapeXml(text: string): string {
  return text
    .replace(uncarried, '')
    .replace(/[&<>"\r\x7f]/g, (character) => references[character] ?? `&#${character.charCodeAt(0)};`);
}

function escapeAttribute(text: string): string {
  return escapeXml(text).replace(/[\t\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}

export function element(
  name: string,
  content: string | number | readonly Xml[] = '',
  attributes: Attributes = {},
): Xml {
  let open = name;
  for (const [key, value] of Object.entries(attributes)) {
    open += ` ${key}="${escapeAttribute(String(value))}"`;
  }
  const inner = typeof content === 'object' ? content.join('') : escapeXml(String(content));
  return (inner === '' ? `<${open}/>` : `<${open}>${inner}</${name}>`) as Xml;
}

/** A property or variable name as an element's name: characters that XML does not allow there become `_`. */
export function elementName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9_.-]/g, '_');
  return /^[A-Za-z_]/.test(safe) && !/^xml/i.test(safe) ? safe : `_${safe}`;
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** A successful answer: `<status>1</status>` and its children. */
export function success(children: readonly Xml[] = []): string {
  return `${declaration}<xml>${element('status', 1)}${children.join('')}</xml>\n`;
}

export function failure(code: string, text: string): string {
  return `${declaration}<xml>${element('status', 0)}${element('error', text, { code })}</xml>\n`;
}
