/**
 * Values of an owner's databases whose response mentions some words. No index finds them: the mirror is read in slices
 * that never hold the event loop for long, and the search ends in time, however much it has read.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, steadyNow } from '../clock.js';
import { fold } from '../codereadr/barcode-equality.js';
import { isStorableText } from '../database/bind-values.js';
import type { Owner } from '../ownership.js';
import type { MirrorReader } from './reader.js';
import type { DatabaseMirror } from './tables/databases.js';
import type { ResponseSlices } from './tables/responses.js';
import { isLostText } from './tables/values.js';

export interface ResponseMatch {
  readonly databaseId: string;
  readonly value: string;
  readonly response: string;
  /** Whether the value is only what answers leave of another one with control characters. */
  readonly lost?: boolean;
}

export interface ResponseMatches {
  readonly values: readonly ResponseMatch[];
  /** Whether there are further values. */
  readonly more: boolean;
  /** How many values were searched, if the time was up before the end of the list. */
  readonly searched?: number;
}

/** How long a slice takes, about: on SQLite nothing else runs meanwhile. */
const sliceMs = 8;
const smallestSlice = 500;
const largestSlice = 20_000;

export function createResponseSearch(deps: {
  readonly reader: Pick<MirrorReader, 'view'>;
  readonly responses: ResponseSlices;
  readonly clock: Clock;
}) {
  const { reader, responses, clock } = deps;

  return {
    /** Values whose response has every word, in either case; in the order of `databaseIds`. */
    async searchResponses(
      owner: Owner,
      databaseIds: readonly string[],
      words: readonly string[],
      { most, timeoutMs }: { readonly most: number; readonly timeoutMs: number },
    ): Promise<ResponseMatches> {
      const startedAt = steadyNow(clock);
      const { databases } = await reader.view(owner);
      const mirrors = databaseIds.flatMap((id) => databases.find((mirror) => mirror.databaseId === id) ?? []);
      const foldedWords = words.map(fold);
      const matches: ResponseMatch[] = [];
      let searchedCount = 0;
      let sliceSize = smallestSlice;
      for (const mirror of words.every(isStorableText) ? mirrors : []) {
        for (let nextKey: string | undefined = ''; nextKey !== undefined; await nextTurn()) {
          const sliceStart = steadyNow(clock);
          if (matches.length > most) {
            return { values: matches.slice(0, most), more: true };
          }
          if (sliceStart - startedAt > timeoutMs) {
            return { values: matches, more: false, searched: searchedCount };
          }
          const slice = await responses.slice(mirror.id, nextKey, sliceSize, words);
          matches.push(...matchesIn(mirror, slice.rows, foldedWords));
          searchedCount += sliceSize;
          sliceSize = nextSize(sliceSize, steadyNow(clock) - sliceStart);
          nextKey = slice.next;
        }
      }
      return { values: matches.slice(0, most), more: matches.length > most };
    },
  };
}

export type ResponseSearch = ReturnType<typeof createResponseSearch>;

function nextSize(size: number, elapsedMs: number): number {
  if (elapsedMs > sliceMs) {
    return Math.max(smallestSlice, size / 2);
  }
  return elapsedMs < sliceMs / 2 ? Math.min(largestSlice, size * 2) : size;
}

/** The matches among some values. One that the last complete pass did not meet may be deleted. */
function matchesIn(
  mirror: DatabaseMirror,
  rows: Awaited<ReturnType<ResponseSlices['slice']>>['rows'],
  folded: readonly string[],
): readonly ResponseMatch[] {
  const { databaseId } = mirror;
  return rows.flatMap((row) => {
    const { value, response } = row;
    const text = fold(response);
    const isMatch = row.round >= mirror.round && folded.every((word) => text.includes(word));
    return isMatch ? [{ databaseId, value, response, ...(isLostText(row, mirror) ? { lost: true } : {}) }] : [];
  });
}
