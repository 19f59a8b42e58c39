/**
 * The XML parser: well-formed documents only, bounded depth, no DOCTYPE, no entities but XML's five and numeric
 * references. Texts stay unchanged.
 */
import { XMLParser, XMLValidator } from 'fast-xml-parser';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The element's own text, CDATA included, without its children's. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

const maxDepth = 10;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  trimValues: false,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  cdataPropName: '#cdata',
  maxNestedTags: maxDepth + 1,
});

type Node = Readonly<Record<string, readonly Node[] | string | Readonly<Record<string, string>>>>;

/** The root element; `undefined` where the text is not well-formed. Never throws: an error would quote the text. */
export function readDocument(text: string): XmlElement | undefined {
  const document = text.replace(/^\ufeff/, '');
  if (declaresType(document)) return undefined;
  try {
    if (XMLValidator.validate(document) !== true) return undefined;
    const roots = (parser.parse(document) as readonly Node[]).map(elementOf).filter((found) => found !== undefined);
    return roots.length === 1 ? roots[0] : undefined;
  } catch {
    return undefined;
  }
}

function declaresType(document: string): boolean {
  const markup = document.replace(/<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)/g, '');
  return /<!(?:DOCTYPE|ENTITY)/i.test(markup);
}

function elementOf(node: Node): XmlElement | undefined {
  const tagName = Object.keys(node).find((key) => key !== ':@');
  if (tagName === undefined || tagName === '#text' || tagName === '#cdata') return undefined;
  let text = '';
  const children: XmlElement[] = [];
  for (const part of node[tagName] as readonly Node[]) {
    if ('#text' in part) text += decode(String(part['#text']));
    else if ('#cdata' in part)
      text += (part['#cdata'] as readonly Node[]).map((cdata) => cdata['#text'] ?? '').join('');
    else {
      const child = elementOf(part);
      if (child) children.push(child);
    }
  }
  const attributes = Object.entries((node[':@'] ?? {}) as Record<string, string>);
  return {
    name: tagName,
    attributes: Object.fromEntries(attributes.map(([key, value]) => [key, decode(String(value))])),
    text,
    children,
  };
}

const namedEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Decodes references. @throws for an unknown entity, or a reference to no character */
function decode(text: string): string {
  return text.replace(/&([^;&<\s]*)(;?)/g, (_, name: string, end: string) => {
    const known = end === '' ? undefined : Object.hasOwn(namedEntities, name) ? namedEntities[name] : character(name);
    if (known === undefined) throw new Error('an entity that is not known');
    return known;
  });
}

function character(name: string): string | undefined {
  const digits = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name);
  if (!digits) return undefined;
  const code = digits[1] ? Number.parseInt(digits[1], 16) : Number(digits[2]);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
  return String.fromCodePoint(code);
}
