/**
 * Form body parser, exact to the byte; it rejects invalid UTF-8 and NUL. `qs` would read `tid=a]=b` as `tid=a]` and
 * drop `__proto__`; `URLSearchParams` turns broken bytes into U+FFFD, so that two barcodes become the same.
 */
import { isUtf8 } from 'node:buffer';
import { RelayError } from '../record/errors.js';

/** The variables of a form, in the order sent, with names as written (`answers[12]`). */
export type Variables = [name: string, value: string][];

/** Parses a form. @throws RelayError `relay.encoding`, `relay.nul` */
export function readForm(body: Buffer): Variables {
  if (!isUtf8(body)) {
    throw new RelayError('relay.encoding', 'the body is not UTF-8');
  }
  const text = body.toString('utf8');
  const variables: Variables = [];
  // The next `=` is remembered: a body of a thousand names without one must not be read a thousand times.
  let equals = -1;
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = indexOr(text, '&', start, text.length);
    if (equals < start) {
      equals = indexOr(text, '=', start, text.length);
    }
    if (end === start) {
      continue;
    }
    const at = Math.min(equals, end);
    const name = decode(text.slice(start, at));
    const value = at === end ? '' : decode(text.slice(at + 1, end));
    if (name.includes('\0') || value.includes('\0')) {
      throw new RelayError('relay.nul', 'a variable holds NUL');
    }
    variables.push([name, value]);
  }
  return variables;
}

function indexOr(text: string, sign: string, from: number, otherwise: number): number {
  const at = text.indexOf(sign, from);
  return at === -1 ? otherwise : at;
}

/** Whether the type is `application/x-www-form-urlencoded`, its charset unset, UTF-8 or US-ASCII. */
export function isForm(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/x-www-form-urlencoded') {
    return false;
  }
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  return charset === undefined || /^charset="?(utf-?8|us-ascii)"?$/.test(charset);
}

/** Decodes a text as browsers encode forms: `+` is a space; a `%` without two hex digits stays a `%`. */
function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) {
    return spaced;
  }
  try {
    return decodeURIComponent(spaced);
  } catch {
    // The text holds a bare `%`, which is unambiguous, or invalid UTF-8, which is not.
  }
  try {
    return decodeURIComponent(spaced.replace(/%(?![0-9a-f]{2})/gi, '%25'));
  } catch (error) {
    throw new RelayError('relay.encoding', 'a variable is not UTF-8', { cause: error });
  }
}
