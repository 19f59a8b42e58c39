/** The age of the values and of the scans that a card shows. Pure. */
import { upperFirst } from '../../../english.js';
import { agesOf, defaultGreenMs, type Headline, isDeletable, type Lookup } from '../../../lookup/index.js';
import { copyProgressText } from '../../block-kit/copy-progress.js';
import { deletedAfter, stillIncluded } from '../../block-kit/scans-as-of.js';
import { mrkdwnMomentAfter } from '../../block-kit/text.js';

const minuteMs = 60_000;

/**
 * The ages of a minute and more: `Values as of 14:02, the account’s scans as of 13:58`, as mrkdwn; `The account as of
 * 13:58` where they are one. Relays' scans have no age.
 * @param titledAt the age in the title, which the line does not say again
 */
export function ageLine(lookup: Lookup, titledAt: number | undefined): string[] {
  const asOf = agesOf(lookup);
  const ages = [
    ['values', asOf?.values],
    ['the account’s scans', asOf?.scans],
    ['not in other databases', asOf?.absent],
  ] as const;
  const known = ages.flatMap(([of, at]) => (at === undefined ? [] : [{ of, at }]));
  const old = known.filter(({ at }) => lookup.askedAt - at >= minuteMs);
  const minuteOf = (at: number) => Math.floor(at / minuteMs);
  const isOne = old.length === known.length && new Set(old.map(({ at }) => minuteOf(at))).size === 1;
  const untold = old.filter(({ at }) => titledAt === undefined || minuteOf(at) !== minuteOf(titledAt));
  const [first] = untold;
  if (!first) {
    return [];
  }
  return isOne
    ? [mrkdwnMomentAfter('The account as of ', first.at)]
    : [upperFirst(untold.map(({ of, at }) => `${of} ${mrkdwnMomentAfter('as of ', at)}`).join(', '))];
}

/** The line that similar barcodes may be missing, while the first copy is not complete; only of an unknown barcode. */
export function copyingLine({ copying }: Pick<Lookup, 'copying'>, { kind }: Pick<Headline, 'kind'>): string[] {
  return copying && kind === 'unknown'
    ? [`Similar barcodes may be missing until the account is copied (${copyProgressText(copying)}).`]
    : [];
}

/**
 * When deleted scans were last looked for, where one may have decided; undefined: none of the account's did, what was
 * looked for still stands, or the answer lets in all the same.
 */
export function deletedSinceOf(lookup: Lookup, { scan, tone }: Headline, now: number): number | undefined {
  const { history, greenMs = defaultGreenMs } = lookup;
  const { fullAt } = history;
  const isOld = fullAt !== undefined && now - fullAt >= greenMs;
  return isOld && isDeletable(scan?.scan) && tone !== 'good' ? fullAt : undefined;
}

/** The line that scans deleted since may be among those that decided. */
export function deletedLine(fullAt: number | undefined): string[] {
  return fullAt === undefined ? [] : [mrkdwnMomentAfter(deletedAfter, fullAt) + stillIncluded];
}
