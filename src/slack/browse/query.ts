/** The search query of a list: a literal part of a name or barcode. Pure. */
import { typedForm } from '../../codereadr/xml/hidden-characters.js';
import { parseBarcode } from '../lookup/parse-barcodes.js';
import { type ListKind, longestQuery } from './metadata.js';

/** The query in a typed text. Undefined: no search. `too_long`: longer than any barcode. */
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
  return read.kind === 'value' ? read.value : read.kind === 'too_long' ? 'too_long' : undefined;
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
