/** Owns what somebody searches a list for: a piece of a name, or of a barcode, taken to the letter. Pure. */
import { readValueText } from '../block-kit/barcode-text.js';
import { type ListKind, longestQuery } from './metadata.js';

/** Undefined where nothing is searched; `too_long`: no barcode holds it. */
export function queryIn(kind: ListKind, text: string): string | undefined | 'too_long' {
  const typed = text.trim();
  if (typed === '' || kind === 'uploads') {
    return undefined;
  }
  if (kind !== 'scans') {
    return typed.slice(0, longestQuery);
  }
  // In quotes, spaces at the ends count, as in a lookup.
  const read = readValueText(typed);
  return read.kind === 'value' ? read.value : read.kind === 'too_long' ? 'too_long' : undefined;
}

/** The separator of GS1 barcodes takes four letters to type, quotes take two. */
export const longestTyped = longestQuery * 4 + 2;

/** As one would type it: read again, it is the same search. */
export function typedQuery(kind: ListKind, query: string): string {
  if (kind !== 'scans') {
    return query;
  }
  const plainly = query.replaceAll('\u001d', '\\x1d');
  return queryIn(kind, plainly) === query ? plainly : `"${query}"`;
}
