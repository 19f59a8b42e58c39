/**
 * The tags of an XML document, found one by one, with the work of parsing each. The work is the number of tags,
 * attributes and references, which take the time; plain characters take almost none.
 */
import { XmlError } from './xml-text.js';

/** The most work that is parsed in one go: it must fit into a turn of the event loop. */
export const maxWork = 40_000;
const tagWork = 4;

/** The most characters of a start tag, outside its values. */
const maxTagLength = 65_536;

export interface Tag {
  readonly kind: 'start' | 'end' | 'cdata' | 'skip';
  readonly name: string;
  readonly start: number;
  /** The offset after the tag's `>`. */
  readonly end: number;
  readonly selfClosing: boolean;
  /** The work of parsing the tag. */
  readonly work: number;
}

export function nextTag(document: string, from: number): Tag {
  const start = document.indexOf('<', from);
  if (start === -1) {
    throw cutOffError();
  }
  return tagAt(document, start);
}

export function tagAt(document: string, start: number): Tag {
  const skip = (end: number): Tag => ({ kind: 'skip', name: '', start, end, selfClosing: false, work: 0 });
  if (document.startsWith('<!--', start)) {
    return skip(endAfter(document, '-->', start + 4));
  }
  if (document.startsWith('<?', start)) {
    return skip(endAfter(document, '?>', start + 2));
  }
  if (document.startsWith('<![CDATA[', start)) {
    const end = endAfter(document, ']]>', start + 9);
    return { kind: 'cdata', name: '', start, end, selfClosing: false, work: tagWork };
  }
  if (document.startsWith('<!', start)) {
    throw new XmlError('xml.doctype', 'the document brings declarations of its own');
  }
  if (document.startsWith('</', start)) {
    const end = endAfter(document, '>', start + 2);
    return {
      kind: 'end',
      name: nameIn(document.slice(start + 2, end - 1)),
      start,
      end,
      selfClosing: false,
      work: tagWork,
    };
  }
  const { end, work } = behindStartTag(document, start + 1);
  const selfClosing = document[end - 2] === '/';
  const name = nameIn(document.slice(start + 1, selfClosing ? end - 2 : end - 1));
  return { kind: 'start', name, start, end, selfClosing, work };
}

function nameIn(tag: string): string {
  const name = /^[^\s<>&'"=/!?]+(?=\s|$)/.exec(tag)?.[0];
  if (name === undefined) {
    throw new XmlError('xml.malformed', 'a tag without a name');
  }
  return name;
}

/** The offset after the `>` of a start tag, and the work of parsing the tag; a `>` within quotes does not count. */
function behindStartTag(document: string, start: number): { readonly end: number; readonly work: number } {
  let workUnits = tagWork;
  let length = 0;
  for (let position = start; position < document.length; position += 1) {
    const character = document[position];
    if (character === '>') {
      return { end: position + 1, work: workUnits };
    }
    if (character === '"' || character === "'") {
      const end = endAfter(document, character, position + 1);
      workUnits += tagWork + referenceWork(document.slice(position, end));
      position = end - 1;
    }
    length += 1;
    if (workUnits > maxWork || length > maxTagLength) {
      throw new XmlError('xml.too_large', 'a tag is too long');
    }
  }
  throw cutOffError();
}

function endAfter(document: string, end: string, from: number): number {
  const position = document.indexOf(end, from);
  if (position === -1) {
    throw cutOffError();
  }
  return position + end.length;
}

function cutOffError(): XmlError {
  return new XmlError('xml.cut_off', 'the document is cut off');
}

/** References of markup (`&lt;`, `&gt;`, `&quot;`) take a fifth of the time of others: a page may be full of them. */
const markupWork = 0.2;

/** The work of the references in a text; counting stops at the limit. */
export function referenceWork(text: string): number {
  let work = 0;
  for (let at = text.indexOf('&'); at !== -1 && work <= maxWork; at = text.indexOf('&', at + 1)) {
    const next = text[at + 1];
    work += next === 'l' || next === 'g' || next === 'q' ? markupWork : 1;
  }
  return work;
}
