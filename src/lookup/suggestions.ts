/**
 * What may have been meant by an unknown barcode: close ones, and values whose response mentions its words. Only what
 * the mirror holds is suggested; without a mirror, nothing is.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Mirror } from '../mirror/index.js';
import type { Owner } from '../ownership.js';
import { closeBarcodes } from './close-barcodes.js';
import { isAbsent } from './finding.js';
import type { Lookup, Suggestions } from './types.js';

export type SuggestionMirror = Pick<Mirror, 'existing' | 'searchResponses'>;

/** The lookup with suggestions; the same one where there is nothing to suggest. */
export type Suggest = (owner: Owner, lookup: Lookup) => Promise<Lookup>;

export const mostClose = 5;
export const mostByResponse = 5;

/** Shorter texts are in nearly every response. */
const shortestText = 3;

/** People with a customer on the line wait no longer for it. */
const timeoutMs = 1_500;

export function createSuggest({ mirror }: { readonly mirror?: SuggestionMirror | undefined }): Suggest {
  let turn: Promise<unknown> = Promise.resolve();

  return async (owner, lookup) => {
    if (!mirror || !isAbsent(lookup)) {
      return lookup;
    }
    // Each has a turn of the event loop to itself: the candidates of a long value take milliseconds.
    turn = turn.then(() => nextTurn());
    await turn;
    const close = await closeTo(mirror, owner, lookup);
    const byResponse = await foundByResponse(mirror, owner, lookup);
    const suggestions = { close, ...(byResponse ? { byResponse } : {}) };
    return close.length > 0 || byResponse ? { ...lookup, suggestions } : lookup;
  };
}

/** First what the account itself gave instead. */
async function closeTo(
  mirror: SuggestionMirror,
  owner: Owner,
  { value, findings }: Lookup,
): Promise<readonly string[]> {
  const similar = findings.flatMap((finding) => (finding.kind === 'unknown' ? finding.similar : []));
  const candidates = closeBarcodes(value).map((one) => one.value);
  const ids = findings.map(({ database }) => database.id);
  const found = await mirror.existing(owner, ids, candidates, mostClose);
  const existing = found.flatMap((one) => (one.lost ? [] : one.value));
  return [...new Set([...similar, ...existing])].filter((one) => one !== value).slice(0, mostClose);
}

async function foundByResponse(
  mirror: SuggestionMirror,
  owner: Owner,
  { value, findings }: Lookup,
): Promise<Suggestions['byResponse']> {
  const words = value.split(/[\s,]+/).filter(Boolean);
  if (words.join('').length < shortestText) {
    return undefined;
  }
  const names = new Map(findings.map(({ database }) => [database.id, database.name]));
  const found = await mirror.searchResponses(owner, [...names.keys()], words, { most: mostByResponse, timeoutMs });
  const values = found.values.filter(({ lost }) => !lost).map(({ databaseId, value: one, response }) => ({
    value: one,
    response: excerpt(response, words),
    database: { id: databaseId, name: names.get(databaseId) ?? databaseId },
  }));
  return values.length > 0 || found.searched !== undefined ? { ...found, values } : undefined;
}

/** What is shown of a response, and how much of it is in front of the first word. */
const longestExcerpt = 120;
const inFront = 40;

/** The line around the first word; the cut is shown. */
export function excerpt(response: string, words: readonly string[]): string {
  const text = response.replace(/\s+/g, ' ').trim();
  const letters = [...text];
  if (letters.length <= longestExcerpt) {
    return text;
  }
  const at = [...text.slice(0, Math.max(0, text.toLowerCase().indexOf((words[0] ?? '').toLowerCase())))].length;
  const from = Math.min(Math.max(0, at - inFront), letters.length - longestExcerpt);
  const to = from + longestExcerpt;
  return `${from > 0 ? '…' : ''}${letters.slice(from, to).join('')}${to < letters.length ? '…' : ''}`;
}
