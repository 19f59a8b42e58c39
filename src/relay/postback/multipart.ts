/**
 * Parser of `multipart/form-data`, exact to the byte. Node's own takes no boundary under 27 characters or with a `=`,
 * as Java writes them, and drops a byte order mark from a value.
 */
import { isUtf8 } from 'node:buffer';
import { RelayError } from '../record/errors.js';
import type { Variables } from './form.js';

/** The boundary of a `multipart/form-data` type; undefined for any other type. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  const [, quoted, plain] =
    /^\s*multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;",]{1,70}))/i.exec(contentType ?? '') ??
    [];
  return quoted ?? plain;
}

/** Parses a body. @throws RelayError `relay.encoding`, `relay.nul`, `relay.not_a_form` */
export function readMultipart(body: Buffer, boundary: string): Variables {
  if (!isUtf8(body)) {
    throw new RelayError('relay.encoding', 'the body is not UTF-8');
  }
  const text = body.toString('utf8');
  if (text.includes('\0')) {
    throw new RelayError('relay.nul', 'a variable holds NUL');
  }
  const [, ...parts] = `\r\n${text}`.split(`\r\n--${boundary}`);
  const end = parts.findIndex((part) => part.startsWith('--'));
  if (end === -1) {
    throw new RelayError('relay.not_a_form', 'the last part has no end');
  }
  return parts.slice(0, end).map(readPart);
}

/** Reads a part after its delimiter: the rest of the line, headers, an empty line, the value. */
function readPart(partText: string): Variables[number] {
  const lineEnd = partText.indexOf('\r\n');
  const headersEnd = partText.indexOf('\r\n\r\n');
  const headers = headersEnd === -1 ? '' : partText.slice(lineEnd, headersEnd + 2);
  const name = nameIn(/\r\ncontent-disposition:[ \t]*form-data[ \t]*(;[^\r\n]*)/i.exec(headers)?.[1]);
  if (name === undefined || partText.slice(0, lineEnd).trim() !== '') {
    throw new RelayError('relay.not_a_form', 'a part is no variable');
  }
  const [, charset = 'utf-8'] = /\r\ncontent-type:[^\r\n]*;[ \t]*charset="?([^"\s;]*)/i.exec(headers) ?? [];
  const [, coding = 'binary'] = /\r\ncontent-transfer-encoding:[ \t]*([^\s;]*)/i.exec(headers) ?? [];
  if (!/^(utf-?8|us-ascii)$/i.test(charset) || !/^(binary|8bit|7bit)$/i.test(coding)) {
    throw new RelayError('relay.encoding', 'a part is not written in UTF-8');
  }
  return [name, partText.slice(headersEnd + 4)];
}

/** Browsers escape quotes and line ends in a name by percent signs, curl and older senders by backslashes. */
function nameIn(parameters: string | undefined): string | undefined {
  const [, quoted, plain] = /;[ \t]*name=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(parameters ?? '') ?? [];
  return quoted === undefined
    ? plain
    : quoted.replace(/%(22|0D|0A)|\\(["\\])/gi, (_, hex?: string, sign?: string) =>
        hex === undefined ? (sign ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
      );
}
