/**
 * Owns reading the XML in which a call can come: root `xml`, a child element per variable, a repeated element for an
 * array. Refuses documents over 1,000,000 bytes (102), broken ones, a DOCTYPE and entities that XML does not itself know (103).
 */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { Refusal } from '../answer/refusal.js';
import type { Fields, Given } from './variables.js';

export const maxXmlBytes = 1_000_000;

const deepest = 8;

const parser = new XMLParser({
  preserveOrder: true,
  trimValues: false,
  parseTagValue: false,
  processEntities: false,
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  cdataPropName: '#cdata',
  maxNestedTags: deepest + 2,
});

type Node = Readonly<Record<string, readonly Node[] | string>>;

/** @throws Refusal 102 or 103 */
export function readXml(document: string): Fields {
  if (Buffer.byteLength(document) > maxXmlBytes) {
    throw new Refusal('102');
  }
  const nodes = parse(document.replace(/^\ufeff/, ''));
  const roots = nodes.filter((node) => !('#text' in node));
  const root = roots[0];
  if (roots.length !== 1 || !root || !Array.isArray(root.xml)) {
    throw new Refusal('103', 'The root element must be xml.');
  }
  const value = fieldsOf(root.xml, 0);
  return typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : {};
}

/** The parser's own words quote the document, which holds the API key: they are left out. */
function parse(document: string): readonly Node[] {
  if (declaresType(document)) {
    throw new Refusal('103', 'A DOCTYPE is not allowed.');
  }
  try {
    if (XMLValidator.validate(document) === true) {
      return parser.parse(document) as readonly Node[];
    }
  } catch {
    throw new Refusal('103');
  }
  throw new Refusal('103');
}

function declaresType(document: string): boolean {
  const markup = document.replace(/<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)/g, '');
  return /<!(?:DOCTYPE|ENTITY)/i.test(markup);
}

function fieldsOf(nodes: readonly Node[], depth: number): Given {
  if (depth > deepest) {
    throw new Refusal('103', 'The elements are nested too deeply.');
  }
  let text = '';
  let fields: Record<string, Given> | undefined;
  for (const node of nodes) {
    for (const [name, content] of Object.entries(node)) {
      if (name === '#text') {
        text += decode(String(content));
      } else if (name === '#cdata') {
        text += (content as readonly Node[]).map((part) => String(part['#text'] ?? '')).join('');
      } else if (name !== ':@') {
        fields ??= Object.create(null) as Record<string, Given>;
        add(fields, name, fieldsOf(content as readonly Node[], depth + 1));
      }
    }
  }
  return fields ?? text;
}

function add(fields: Record<string, Given>, name: string, value: Given): void {
  const before = fields[name];
  if (before === undefined) {
    fields[name] = value;
  } else if (Array.isArray(before)) {
    (before as Given[]).push(value);
  } else {
    fields[name] = [before, value];
  }
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text: string): string {
  return text.replace(/&([^;&<\s]*);?/g, (whole, name: string) => {
    const known = whole.endsWith(';') ? (named[name] ?? character(name)) : undefined;
    if (known === undefined) throw new Refusal('103', 'It holds an entity that is not known.');
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
