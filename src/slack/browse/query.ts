/** The search query of a list: a literal part of a name or barcode. Pure. */
import { typedForm } from '../../codereadr/xml/hidden-characters.js';
import { parseBarcode } from '../lookup/parse-barcodes.js';
import { type ListKind, longestQuery } from './metadata.js';

/** The most characters of a barcode that a list is searched by: twice as many code units fit a modal's metadata. */
export const longestPart = longestQuery / 2;

/** The query in a typed text. Undefined: no search. `too_long`: longer than `longestPart`. */
export function queryIn(kind: ListKind, text: string): string | undefined | 'too_long' {
  const trimmedText = text.trim();
  if (trimmedText === '' || kind === 'uploads') {
    return undefined;
  }
  if (kind !== 'scans' && kind !== 'values') {
    return trimmedText.slice(0, longestQuery);
  }
  // In quotes, spaces at the ends count, as in a lookup.
  const read = parseBarcode(trimmedText);
  if (read.kind === 'too_long' || (read.kind === 'value' && [...read.value].length > longestPart)) {
    return 'too_long';
  }
  return read.kind === 'value' ? read.value : undefined;
}

/** The most characters of a typed query: the GS1 separator takes four to type, the quotes two. */
export const longestTyped = longestQuery * 4 + 2;

/** The query as a person would type it: parsing it gives the same query. */
export function typedQuery(kind: ListKind, query: string): string {
  if (kind !== 'scans' && kind !== 'values') {
    return query;
  }
  const plainly = typedForm(query);
  return queryIn(kind, plainly) === query ? plainly : `"${query}"`;
}
