/**
 * Suggestions for an unknown barcode: close ones, and values whose response mentions its words. Only values in the
 * mirror are suggested; without a mirror, nothing is.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { asAnswered, isLostInAnswers } from '../../codereadr/barcode-equality.js';
import type { Mirror } from '../../mirror/index.js';
import type { Owner } from '../../ownership.js';
import type { Scans } from '../../scans/index.js';
import { isAbsent } from '../finding.js';
import type { Lookup, Suggestions } from '../types.js';
import { closeBarcodes } from './close-barcodes.js';

export type SuggestionMirror = Pick<Mirror, 'existing' | 'searchResponses'>;

export const mostClose = 5;
export const mostByResponse = 5;

/** The fewest characters of a text that is searched in responses: shorter ones are in nearly every response. */
const shortestText = 3;

/** How long suggestions may take: a person with a customer on the line waits no longer. */
const timeoutMs = 1_500;

interface SuggestionSources {
  readonly mirror: SuggestionMirror;
  readonly scans: Pick<Scans, 'spellings'>;
}

export function createSuggest({ mirror, scans }: Pick<SuggestionSources, 'scans'> & Partial<SuggestionSources>) {
  let turn: Promise<unknown> = Promise.resolve();

  return async (owner: Owner, lookup: Lookup): Promise<Lookup> => {
    if (!mirror || !isAbsent(lookup)) {
      return lookup;
    }
    // Each search has a turn of the event loop to itself: the candidates of a long value take milliseconds.
    turn = turn.then(() => nextTurn());
    await turn;
    const sources = { mirror, scans };
    const close = await closeTo(sources, owner, lookup);
    const byResponse = await foundByResponse(sources, owner, lookup);
    return close.close.length > 0 || close.lost || byResponse
      ? { ...lookup, suggestions: { ...close, byResponse } }
      : lookup;
  };
}

/** Close barcodes; first the account's own similar values. */
async function closeTo(
  { mirror, scans }: SuggestionSources,
  owner: Owner,
  { value, findings }: Lookup,
): Promise<Pick<Suggestions, 'close' | 'lost'>> {
  const similar = findings.flatMap((finding) => (finding.kind === 'unknown' ? finding.similar : []));
  // A value with control characters may read like the searched one itself.
  const candidates = [value, ...closeBarcodes(value).map((one) => one.value)];
  const ids = findings.map(({ database }) => database.id);
  const existing = await mirror.existing(owner, ids, candidates, mostClose + 1);
  const values: string[] = [];
  const lost: string[] = [];
  for (const one of existing) {
    const known = one.lost ? await valuesReadAs(scans, owner, one.value) : [one.value];
    values.push(...known);
    lost.push(...(known.length === 0 ? [one.value] : []));
  }
  const close = [...new Set([...similar, ...values])].filter((one) => one !== value).slice(0, mostClose);
  return { close, lost: lost.length > 0 ? lost.slice(0, mostClose) : undefined };
}

/** Barcodes that relays received with the control characters that the account's answers leave out. */
async function valuesReadAs(scans: SuggestionSources['scans'], owner: Owner, text: string): Promise<readonly string[]> {
  const received = (await scans.spellings(owner, undefined, text)).filter(
    (value) => isLostInAnswers(value) && asAnswered(value) === asAnswered(text),
  );
  return received.length === 0 && isLostInAnswers(text) ? [text] : received;
}

async function foundByResponse(
  { mirror, scans }: SuggestionSources,
  owner: Owner,
  { value, findings }: Lookup,
): Promise<Suggestions['byResponse']> {
  const words = value.split(/[\s,]+/).filter(Boolean);
  if (words.join('').length < shortestText) {
    return undefined;
  }
  const names = new Map(findings.map(({ database }) => [database.id, database.name]));
  const matches = await mirror.searchResponses(owner, [...names.keys()], words, { most: mostByResponse, timeoutMs });
  const values = await Promise.all(
    matches.values.map(async ({ databaseId, value: text, lost, response }) => {
      const [known, ...others] = lost ? await valuesReadAs(scans, owner, text) : [text];
      const isKnown = known !== undefined && others.length === 0;
      return {
        value: isKnown ? known : text,
        response: excerpt(response, words),
        database: { id: databaseId, name: names.get(databaseId) ?? databaseId },
        lost: isKnown ? undefined : true,
      };
    }),
  );
  return values.length > 0 || matches.searched !== undefined ? { ...matches, values } : undefined;
}

/** The most characters of a shown part of a response; below, of its text before the first word. */
const longestExcerpt = 120;
const inFront = 40;

/** The line around the first word; a mark shows where it is cut. */
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
