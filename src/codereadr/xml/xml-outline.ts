/**
 * The splitter of XML documents into pieces that are parsed one by one. It checks what the parser does not: matching
 * tags, depth, one root, no DOCTYPE, size, and work per turn of the event loop.
 */
import { maxWork, nextTag, referenceWork, type Tag, tagAt } from './xml-tags.js';
import { decodeReferences, XmlError } from './xml-text.js';

export interface OutlineBounds {
  readonly maxLength: number;
  readonly maxDepth: number;
  readonly unclosed: readonly string[];
}

/** The approximate size of a piece, in characters and in work (xml-tags.ts): some milliseconds of parsing. */
const pieceLength = 32_768;
const pieceWork = 20_000;

/**
 * The most characters of a root's child, or of its own text between two tags: neither can be split, and parsing one
 * must fit into a turn.
 */
const maxChildLength = 1_000_000;

/** The most comments and processing instructions before or after the root: real documents have one or two. */
const maxAround = 1_000;

/** The length from which text is passed as CDATA, which the parser reads in one go, not character by character. */
const longText = 4_096;

const carriageReturn = /&#(?:0*13|x0*[dD]);/;

const space = /\s*/y;

/**
 * The document as small documents, each with the root's start tag, whole children of the root, and its end tag. Yields
 * at least one document, even without children. Comments and processing instructions are left out.
 * @throws XmlError while iterating
 */
export function* outline(document: string, bounds: OutlineBounds): Generator<string, void, void> {
  if (document.length > bounds.maxLength) {
    throw new XmlError('xml.too_large', `the document is longer than ${bounds.maxLength} characters`);
  }
  if (document.includes('\0')) {
    throw new XmlError('xml.malformed', 'the document holds NUL');
  }
  const root = openRoot(document);
  if (!root.selfClosing) {
    yield* splitChildren(document, root, bounds);
    return;
  }
  expectEnd(document, root.end);
  yield document.slice(root.start, root.end);
}

function* splitChildren(document: string, root: Tag, bounds: OutlineBounds): Generator<string, void, void> {
  const startTag = document.slice(root.start, root.end);
  const endTag = `</${root.name}>`;
  const isUnclosed = unclosedTest(document, bounds.unclosed);
  const stack = [root.name];
  let piece = startTag;
  let pieceStart = root.end;
  let childStart = root.end;
  let copiedTo = root.end;
  let childWork = root.work;
  let workOfPiece = childWork;
  const keepUntil = (position: number, resume = position) => {
    piece += document.slice(copiedTo, position);
    copiedTo = resume;
  };
  let behindTag = root.end;
  for (let tag = nextTag(document, root.end); ; tag = nextTag(document, tag.end)) {
    childWork += tag.work + referenceWork(document.slice(behindTag, tag.start));
    if (childWork > maxWork) {
      throw new XmlError('xml.too_large', 'one element holds more than can be read in one go');
    }
    if (tag.start - behindTag > longText) {
      keepUntil(behindTag, tag.start);
      piece += quickText(document.slice(behindTag, tag.start));
    }
    behindTag = tag.end;
    if (tag.kind === 'skip') {
      keepUntil(tag.start, tag.end);
    } else if (tag.kind === 'start' && !tag.selfClosing) {
      if (isUnclosed(tag)) {
        keepUntil(tag.end);
        piece += `</${tag.name}>`;
      } else {
        stack.push(tag.name);
        if (stack.length > bounds.maxDepth) {
          throw new XmlError('xml.too_deep', `elements go deeper than ${bounds.maxDepth}`);
        }
      }
    } else if (tag.kind === 'end') {
      if (stack.pop() !== tag.name) {
        throw new XmlError('xml.malformed', `an end tag without its start, at ${tag.start}`);
      }
      if (stack.length === 0) {
        keepUntil(tag.start);
        yield piece + endTag;
        expectEnd(document, tag.end);
        return;
      }
    }
    if (stack.length > 1) {
      if (tag.end - childStart > maxChildLength) {
        throw new XmlError('xml.too_large', `one element is longer than ${maxChildLength} characters`);
      }
      continue;
    }
    childStart = tag.end;
    workOfPiece += childWork;
    childWork = 0;
    if (tag.end - pieceStart >= pieceLength || workOfPiece >= pieceWork) {
      workOfPiece = 0;
      keepUntil(tag.end);
      yield piece + endTag;
      piece = `<${root.name}>`;
      pieceStart = tag.end;
    }
  }
}

/** Text in the form that the parser reads fastest; unchanged with a reference to CR, as a bare CR would become LF. */
function quickText(text: string): string {
  if (carriageReturn.test(text)) {
    return text;
  }
  return `<![CDATA[${decodeReferences(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

/**
 * Whether a start tag with one of these names is unclosed: the next start tag of the same name comes before any end tag
 * of it.
 */
function unclosedTest(document: string, names: readonly string[]): (tag: Tag) => boolean {
  /** The offset of the next end tag, by name: an end tag is searched for once, not once per start tag. */
  const nextEnd = new Map<string, number>();
  return (tag) => {
    if (!names.includes(tag.name)) {
      return false;
    }
    let close = nextEnd.get(tag.name) ?? -1;
    if (close < tag.end) {
      const found = document.indexOf(`</${tag.name}`, tag.end);
      close = found === -1 ? Number.POSITIVE_INFINITY : found;
      nextEnd.set(tag.name, close);
    }
    if (close === Number.POSITIVE_INFINITY) {
      return true;
    }
    return document.slice(tag.end, close).search(new RegExp(`<${tag.name}[\\s/>]`)) !== -1;
  };
}

function openRoot(document: string): Tag {
  let position = document.startsWith('\uFEFF') ? 1 : 0;
  for (let skippedTags = 0; ; skippedTags += 1) {
    refuseTooMany(skippedTags);
    position = skipSpace(document, position);
    if (position === document.length) {
      throw new XmlError('xml.empty', 'the document is empty');
    }
    if (document[position] !== '<') {
      throw new XmlError('xml.malformed', 'the document does not begin with an element');
    }
    const tag = tagAt(document, position);
    if (tag.kind === 'start') {
      return tag;
    }
    if (tag.kind !== 'skip') {
      throw new XmlError('xml.malformed', 'the document does not begin with an element');
    }
    position = tag.end;
  }
}

function expectEnd(document: string, from: number): void {
  let skippedTags = 0;
  for (let position = skipSpace(document, from); position < document.length; skippedTags += 1) {
    refuseTooMany(skippedTags);
    if (document[position] !== '<') {
      throw new XmlError('xml.malformed', 'something follows the root element');
    }
    const tag = tagAt(document, position);
    if (tag.kind !== 'skip') {
      throw new XmlError('xml.malformed', 'something follows the root element');
    }
    position = skipSpace(document, tag.end);
  }
}

function refuseTooMany(skippedTags: number): void {
  if (skippedTags > maxAround) {
    throw new XmlError('xml.too_large', 'too much content around the root element');
  }
}

function skipSpace(document: string, from: number): number {
  space.lastIndex = from;
  space.test(document);
  return space.lastIndex;
}
