/**
 * The words of a typed search: those of results, those before names, and common words, of which no barcode consists.
 * Pure.
 */
import { resultInText } from '../scans/result-words.js';
import type { scanResults } from './query.js';
import { days } from './when.js';

/** Words of the search that people mistype: mistaken for a barcode, such a word finds nothing. */
export const queryWords: readonly string[] = ['today', 'yesterday', 'valid', ...days];

export type QueryResult = (typeof scanResults)[number];

/** The results by their words; a map, since `constructor` is a barcode. */
export const resultWords: ReadonlyMap<string, QueryResult> = new Map([
  ['valid', 'valid'],
  [resultInText('invalid'), 'invalid'],
  [resultInText('not_validated'), 'not_validated'],
  ['invalid', 'invalid'],
  ['refused', 'invalid'],
  ['unvalidated', 'not_validated'],
  ['not-validated', 'not_validated'],
  ['not_validated', 'not_validated'],
  [resultInText('used'), 'used'],
  ['used', 'used'],
  ['already scanned', 'used'],
  ['duplicate', 'used'],
  ['duplicates', 'used'],
]);

/** The words before a name, and the kind of name that follows where it is no known one. */
export const namesBehind = {
  by: 'users',
  from: 'users',
  at: 'services',
  in: 'services',
  on: 'devices',
  with: 'devices',
} as const;

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));
/** The words that change no search. */
export const fillers = setOf(
  'scans scan scanned scanning tickets ticket barcodes barcode codes code items item all every everything anything any ' +
    'the show me find list please who what which how many much was were is are been has have did got latest newest ' +
    'recent and or for of that results',
);
/** Other common words, which no barcode consists of. A search with one of them is not understood. */
const commonWords = setOf(
  'by from at in on with to not no without except unknown already still yet this last ago now soon since before ' +
    'after until till between morning afternoon evening night noon hour hours minute minutes day days week weeks month ' +
    'months year years when where why people person someone somebody nobody twice again only more most than',
);

export function isCommon(word: string): boolean {
  return fillers.has(word) || commonWords.has(word);
}

/** The result at the beginning of the words, which may be two words. */
export function resultAt(words: readonly string[]): { readonly is: QueryResult; readonly words: number } | undefined {
  const [both, one] = [2, 1].map((length) => resultWords.get(words.slice(0, length).join(' ').toLowerCase()));
  return both && words.length > 1 ? { is: both, words: 2 } : one && { is: one, words: 1 };
}
