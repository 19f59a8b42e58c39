/**
 * Text inside XML: escaping when writing, references when reading. Characters that XML 1.0 cannot carry are rejected.
 */
import { ScandeskError } from '../../errors.js';

export type XmlErrorCode =
  | 'xml.empty'
  | 'xml.doctype'
  | 'xml.malformed'
  | 'xml.cut_off'
  | 'xml.too_large'
  | 'xml.too_deep'
  | 'xml.character'
  | 'xml.name';

/** A malformed document. The message contains no text of the document. */
export class XmlError extends ScandeskError {
  declare readonly code: XmlErrorCode;
  constructor(code: XmlErrorCode, message: string) {
    super(code, message);
  }
}

/** C0 controls but tab, LF and CR; halves of surrogate pairs; U+FFFE and U+FFFF. */
const forbidden = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]|\p{Surrogate}/u;

/** Whether XML 1.0 can carry the text. It cannot carry a GS1 barcode with its separator (U+001D). */
export function fitsXml(text: string): boolean {
  return !forbidden.test(text);
}

/** CR is written as a reference, because a parser reads a bare one as LF. */
const textEscapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

/** White space in an attribute is written as references, because a parser reads it as spaces. */
const attributeEscapes: Readonly<Record<string, string>> = {
  ...textEscapes,
  '"': '&quot;',
  "'": '&#39;',
  '\t': '&#9;',
  '\n': '&#10;',
};

/** @throws XmlError `xml.character` */
export function escapeText(text: string): string {
  return refuseForbidden(text).replace(/[&<>\r]/g, (character) => textEscapes[character] ?? character);
}

/** @throws XmlError `xml.character` */
export function escapeAttribute(text: string): string {
  return refuseForbidden(text).replace(/[&<>"'\r\t\n]/g, (character) => attributeEscapes[character] ?? character);
}

function refuseForbidden(text: string): string {
  const found = forbidden.exec(text);
  if (found) {
    const codePoint = found[0].codePointAt(0) ?? 0;
    throw new XmlError('xml.character', `XML cannot carry U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`);
  }
  return text;
}

const reference = /&(?:#(\d+)|#x([0-9a-fA-F]+)|amp);/g;

/**
 * Resolves XML's five entities and numeric references in one pass; any other `&` stays as it is. A reference to a
 * control character that XML 1.0 forbids, except NUL, gives that character: dropping it would alter a barcode.
 * @throws XmlError `xml.malformed` for a reference to no character
 */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) {
    return text;
  }
  // Whatever cannot begin another reference is replaced first, in native code: a page's source has tens of thousands.
  const plain = text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'");
  return plain.replace(reference, (_, decimal?: string, hexadecimal?: string) => {
    if (decimal === undefined && hexadecimal === undefined) {
      return '&';
    }
    const codePoint = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number.parseInt(decimal, 10);
    if (codePoint === 0 || codePoint > 0x10ffff || (codePoint >= 0xd800 && codePoint <= 0xdfff)) {
      throw new XmlError('xml.malformed', 'the document refers to a character that does not exist');
    }
    return String.fromCodePoint(codePoint);
  });
}
