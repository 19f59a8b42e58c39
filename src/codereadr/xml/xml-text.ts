/** References in the text of XML, and the error codes of a malformed document. */
import { ScandeskError } from '../../errors.js';

export type XmlErrorCode =
  | 'xml.empty'
  | 'xml.doctype'
  | 'xml.malformed'
  | 'xml.cut_off'
  | 'xml.too_large'
  | 'xml.too_deep';

/** A malformed document. The message contains no text of the document. */
export class XmlError extends ScandeskError {
  declare readonly code: XmlErrorCode;
  constructor(code: XmlErrorCode, message: string) {
    super(code, message);
  }
}

const reference = /&(?:#(\d+)|#x([0-9a-fA-F]+)|amp);/g;

/**
 * Resolves XML's five entities and numeric references, each once; any other `&` stays as it is. A reference to a
 * control character that XML 1.0 forbids, except NUL, gives that character: dropping it would alter a barcode.
 * @throws XmlError `xml.malformed` for a reference to no character
 */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) {
    return text;
  }
  // References to anything but `&` can be resolved first, in native code: a page's source has tens of thousands.
  const plainText = text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'");
  return plainText.replace(reference, (_, decimal?: string, hexadecimal?: string) => {
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
