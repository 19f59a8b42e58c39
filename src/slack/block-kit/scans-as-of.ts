/** The words for how old the scans in a list or count are: times, no ages, since people read them later too. Pure. */
import { defaultGreenMs, type ScansKnown } from '../../lookup/index.js';
import { type LinePart, momentAfter } from './text.js';

interface ShownScans extends ScansKnown {
  /** Since when the scans are shown; undefined: all of them are. */
  readonly from?: number | undefined;
  /** Whether one of them may have been deleted in the account. */
  readonly deletable: boolean;
}

export function scansAsOf({ askedAt, copy, from, deletable }: ShownScans): LinePart[][] {
  if (!copy) {
    return [
      [
        momentAfter('Only scans received by relays, as of ', askedAt),
        ': the account’s own scans aren’t kept in Scandesk yet.',
      ],
    ];
  }
  const startsBeforeCopy = from === undefined || from < copy.since;
  const isLongAgo = copy.fullAt !== undefined && askedAt - copy.fullAt >= defaultGreenMs;
  return [
    [...agesOf(copy.at, askedAt), '.'],
    ...(deletable && isLongAgo ? deletedSince(copy.fullAt) : []),
    ...(startsBeforeCopy ? [[momentAfter('The account’s scans are kept since ', copy.since), '.']] : []),
  ];
}

const minuteOf = (at: number) => Math.floor(at / 60_000);

/** The ages of the account's scans and of the relays': once where they are the same. */
export function agesOf(account: number, relays: number): LinePart[] {
  return minuteOf(account) === minuteOf(relays)
    ? [momentAfter('As of ', account)]
    : [momentAfter('The account’s scans as of ', account), momentAfter('; scans received by relays as of ', relays)];
}

export const deletedAfter = 'Scans deleted in the account after ';
export const stillIncluded = ' may still be included.';

/** The line that dates the search for deleted scans: the account is asked for them less often than for new ones. */
export function deletedSince(fullAt: number | undefined): LinePart[][] {
  return fullAt === undefined ? [] : [[momentAfter(deletedAfter, fullAt), stillIncluded]];
}
