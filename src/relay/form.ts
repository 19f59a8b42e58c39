/**
 * Owns reading a form body into its variables, byte for byte. Refuses what would have to be guessed: bytes that are no
 * UTF-8, and NUL. `qs` and `URLSearchParams` do guess: the first reads `tid=a]=b` as a variable `tid=a]` and drops
 * `__proto__`, the second turns broken bytes into U+FFFD, which makes two barcodes one.
 */
import { isUtf8 } from 'node:buffer';
import { RelayError } from './errors.js';

/** The variables as they came and in their order, names as they were written (`answers[12]`). */
export type Variables = [name: string, value: string][];

/** @throws RelayError `relay.encoding`, `relay.nul` */
export function readForm(body: Buffer): Variables {
  if (!isUtf8(body)) {
    throw new RelayError('relay.encoding', 'the body is not UTF-8');
  }
  const variables: Variables = [];
  for (const part of body.toString('utf8').split('&')) {
    if (part === '') {
      continue;
    }
    const at = part.indexOf('=');
    const name = decode(at === -1 ? part : part.slice(0, at));
    const value = at === -1 ? '' : decode(part.slice(at + 1));
    if (name.includes('\0') || value.includes('\0')) {
      throw new RelayError('relay.nul', 'a variable holds NUL');
    }
    variables.push([name, value]);
  }
  return variables;
}

/** True for `application/x-www-form-urlencoded`, in UTF-8 where it says in what. */
export function isForm(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/x-www-form-urlencoded') {
    return false;
  }
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  return charset === undefined || /^charset="?(utf-?8|us-ascii)"?$/.test(charset);
}

/** As browsers' own forms are read: `+` is a space, a `%` that begins no two hex digits is a `%`. */
function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) {
    return spaced;
  }
  try {
    return decodeURIComponent(spaced);
  } catch {
    // Either a bare `%`, which can be told from the rest, or bytes that are no UTF-8, which cannot be told at all.
  }
  try {
    return decodeURIComponent(spaced.replace(/%(?![0-9a-f]{2})/gi, '%25'));
  } catch (error) {
    throw new RelayError('relay.encoding', 'a variable is not UTF-8', { cause: error });
  }
}
