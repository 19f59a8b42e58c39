/**
 * The XML decoder of the wire. Values stay strings, neither trimmed nor parsed as numbers. A DOCTYPE and a document too
 * large, too deep or cut off are rejected.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { XMLParser } from 'fast-xml-parser';
import { outline } from './xml-outline.js';
import { decodeReferences, XmlError } from './xml-text.js';

export { XmlError, type XmlErrorCode } from './xml-text.js';

/** One element: its attributes, its own text (without its children's) and its children in order. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly Element[];
}

export interface XmlBounds {
  /** The most characters of a document; default 16 million. */
  readonly maxLength?: number;
  /** The deepest nesting of elements; default 32. */
  readonly maxDepth?: number;
  /** Elements that may lack an end tag, and are empty then; default `upload` (docs/account-api.md#traps). */
  readonly unclosed?: readonly string[];
}

const defaults = { maxLength: 16_000_000, maxDepth: 32, unclosed: ['upload'] } as const satisfies Required<XmlBounds>;

const textKey = '#text';
const cdataKey = '#cdata';
const attributesKey = ':@';
/** The prefix of the names of tags and attributes, a character that no name contains. */
const namePrefix = '=';

/**
 * The parser leaves values alone: references are resolved here, because the parser keeps `&#39;` and drops `&#29;`.
 * Names get a prefix, because the parser rejects some (`constructor`) that are valid names of scan properties.
 */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: namePrefix,
  // The parser calls this function twice for a self-closing element.
  transformTagName: (name) => (name.startsWith(namePrefix) ? name : namePrefix + name),
  textNodeName: textKey,
  cdataPropName: cdataKey,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
  maxNestedTags: Number.MAX_SAFE_INTEGER,
  jPath: false,
});

/**
 * The root element of a document. A large one is decoded in pieces, each in its own turn of the event loop.
 * @throws XmlError
 */
export async function decodeXml(document: string, bounds: XmlBounds = {}): Promise<Element> {
  let root: OpenRoot | undefined;
  for (const piece of outline(document, { ...defaults, ...bounds })) {
    if (root) {
      await nextTurn();
    }
    root = absorb(root, piece);
  }
  return finishRoot(root);
}

/** Decodes a document known to be small, synchronously; otherwise like `decodeXml`. */
export function decodeXmlNow(document: string, bounds: XmlBounds = {}): Element {
  let root: OpenRoot | undefined;
  for (const piece of outline(document, { ...defaults, ...bounds })) {
    root = absorb(root, piece);
  }
  return finishRoot(root);
}

interface OpenRoot {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly texts: string[];
  readonly children: Element[];
}

function absorb(root: OpenRoot | undefined, piece: string): OpenRoot {
  const element = parsePiece(piece);
  const openRoot = root ?? { name: element.name, attributes: element.attributes, texts: [], children: [] };
  openRoot.texts.push(element.text);
  for (const child of element.children) {
    openRoot.children.push(child);
  }
  return openRoot;
}

function finishRoot(root: OpenRoot | undefined): Element {
  if (!root) {
    throw new XmlError('xml.empty', 'the document holds no element');
  }
  return { name: root.name, attributes: root.attributes, text: root.texts.join(''), children: root.children };
}

type ParsedNode = Readonly<Record<string, unknown>>;

function parsePiece(piece: string): Element {
  let nodes: readonly ParsedNode[];
  try {
    nodes = parser.parse(piece) as readonly ParsedNode[];
  } catch {
    // The parser's messages quote the document, which must not reach the log.
    throw new XmlError('xml.malformed', 'the document cannot be parsed');
  }
  const node = nodes[0];
  if (!node) {
    throw new XmlError('xml.empty', 'the document holds no element');
  }
  return toElement(node);
}

function toElement(node: ParsedNode): Element {
  const key = Object.keys(node).find((name) => name !== attributesKey) ?? namePrefix;
  let text = '';
  const children: Element[] = [];
  for (const child of node[key] as readonly ParsedNode[]) {
    if (typeof child[textKey] === 'string') {
      text += decodeReferences(child[textKey]);
    } else if (child[cdataKey] !== undefined) {
      text += (child[cdataKey] as readonly ParsedNode[]).map((part) => part[textKey]).join('');
    } else {
      children.push(toElement(child));
    }
  }
  return { name: key.slice(namePrefix.length), attributes: toAttributes(node[attributesKey]), text, children };
}

function toAttributes(marked: unknown): Readonly<Record<string, string>> {
  const attributes: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries((marked ?? {}) as Readonly<Record<string, string>>)) {
    attributes[name.slice(namePrefix.length)] = decodeReferences(value);
  }
  return attributes;
}
