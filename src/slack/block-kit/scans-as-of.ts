/** The words for how old the scans in a list or count are: times, no ages, since people read them later too. Pure. */
import type { ScansKnown } from '../../lookup/index.js';
import { type LinePart, momentAfter } from './text.js';

/** @param known.from since when the scans are shown; undefined: all of them are */
export function scansAsOf({ askedAt, copy, from }: ScansKnown & { readonly from?: number | undefined }): LinePart[][] {
  if (!copy) {
    return [
      [
        momentAfter('Only scans received by relays, as of ', askedAt),
        ': the account’s own scans aren’t kept in Scandesk yet.',
      ],
    ];
  }
  const startsBeforeCopy = from === undefined || from < copy.since;
  return [
    [
      momentAfter('The account’s scans as of ', copy.at),
      momentAfter('; scans received by relays as of ', askedAt),
      '.',
    ],
    ...deletedSince(copy.fullAt),
    ...(startsBeforeCopy ? [[momentAfter('The account’s scans are kept since ', copy.since), '.']] : []),
  ];
}

export const deletedAfter = 'Scans deleted in the account after ';
export const stillIncluded = ' may still be included.';

/** The line that dates the search for deleted scans: the account is asked for them less often than for new ones. */
export function deletedSince(fullAt: number | undefined): LinePart[][] {
  return fullAt === undefined ? [] : [[momentAfter(deletedAfter, fullAt), stillIncluded]];
}
