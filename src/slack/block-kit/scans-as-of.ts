/** The words for how old the scans in a list or count are: times, no ages, since people read them later too. Pure. */
import { defaultGreenMs, type ScansKnown } from '../../lookup/index.js';
import { type LinePart, momentAfter } from './text.js';

interface ShownScans extends ScansKnown {
  /** Since when the scans are shown; undefined: all of them are. */
  readonly from?: number | undefined;
  /** Whether they are listed, and one of them may have been deleted in the account. A day's figures stand all the same. */
  readonly deletable?: boolean;
}

export function scansAsOf({ askedAt, copy, from, deletable }: ShownScans): LinePart[][] {
  if (!copy) {
    return [[momentAfter('As of ', askedAt), ', without the account’s own scans: they aren’t kept in Scandesk yet.']];
  }
  const startsBeforeCopy = from === undefined || from < copy.since;
  const isLongAgo = copy.fullAt !== undefined && askedAt - copy.fullAt >= defaultGreenMs;
  return [
    [momentAfter(isSameMinute(copy.at, askedAt) ? 'As of ' : 'The account’s scans as of ', copy.at), '.'],
    ...(deletable && isLongAgo ? deletedSince(copy.fullAt) : []),
    ...(startsBeforeCopy ? [[momentAfter('The account’s scans are kept since ', copy.since), '.']] : []),
  ];
}

const isSameMinute = (one: number, other: number) => Math.floor(one / 60_000) === Math.floor(other / 60_000);

/** The ages of a file's scans, the account's and the relays': once where they are the same. A message has its own time. */
export function agesOf(account: number, relays: number): LinePart[] {
  return isSameMinute(account, relays)
    ? [momentAfter('As of ', account)]
    : [momentAfter('The account’s scans as of ', account), momentAfter('; scans received by relays as of ', relays)];
}

export const deletedAfter = 'Scans deleted in the account after ';
export const stillIncluded = ' may still be included.';

/** The line that dates the search for deleted scans: the account is asked for them less often than for new ones. */
export function deletedSince(fullAt: number | undefined): LinePart[][] {
  return fullAt === undefined ? [] : [[momentAfter(deletedAfter, fullAt), stillIncluded]];
}
