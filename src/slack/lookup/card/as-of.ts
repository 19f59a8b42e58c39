/** The age of the values and of the scans that a card shows. Pure. */
import { upperFirst } from '../../../english.js';
import { agesOf, type Lookup } from '../../../lookup/index.js';
import { copyProgressText } from '../../block-kit/copy-progress.js';
import { deletedAfter, stillIncluded } from '../../block-kit/scans-as-of.js';
import { mrkdwnMomentAfter } from '../../block-kit/text.js';

const minuteMs = 60_000;

/**
 * The ages of a minute and more: `Values as of 14:02, scans as of 13:58`, as mrkdwn; `As of 13:58` where they are one.
 * @param titled whether the title shows the oldest age: the line then says only which ages differ
 */
export function ageLine(lookup: Lookup, titled: boolean): string[] {
  const asOf = agesOf(lookup);
  const ages = [
    ['values', asOf?.values],
    ['scans', asOf?.scans],
    ['not in other databases', asOf?.absent],
  ] as const;
  const known = ages.flatMap(([of, at]) => (at === undefined ? [] : [{ of, at }]));
  const old = known.filter(({ at }) => lookup.askedAt - at >= minuteMs);
  const [first] = old;
  const isOne = old.length === known.length && new Set(old.map(({ at }) => Math.floor(at / minuteMs))).size === 1;
  if (!first || (isOne && titled)) {
    return [];
  }
  return isOne
    ? [mrkdwnMomentAfter('As of ', first.at)]
    : [upperFirst(old.map(({ of, at }) => `${of} ${mrkdwnMomentAfter('as of ', at)}`).join(', '))];
}

/** The line that scans deleted since may be among those that decided: said only where one of them did. */
export function deletedLine(fullAt: number | undefined): string[] {
  return fullAt === undefined ? [] : [mrkdwnMomentAfter(deletedAfter, fullAt) + stillIncluded];
}

/** The line that says how far the first copy of the account is, while it is not complete. */
export function copyingLine({ copying }: Pick<Lookup, 'copying'>): string[] {
  return copying ? [`Copying the account’s data: ${copyProgressText(copying)}.`] : [];
}
