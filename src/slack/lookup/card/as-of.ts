/** The age of the values and of the scans that a card shows. Pure. */
import { listOf, upperFirst } from '../../../english.js';
import { agesOf, defaultGreenMs, type Headline, isDeletable, type Lookup } from '../../../lookup/index.js';
import { copyProgressText } from '../../block-kit/copy-progress.js';
import { deletedAfter, stillIncluded } from '../../block-kit/scans-as-of.js';
import { mrkdwnMomentAfter } from '../../block-kit/text.js';

const minuteMs = 60_000;

const values = 'values';
const lacking = 'the other databases';

/**
 * The ages of a minute and more, each minute once: `Values as of 14:02, the account’s scans as of 13:58`, as mrkdwn; `The account as of
 * 13:58` where they are one. Relays' scans have no age.
 * @param titledAt the age in the title, which the line does not say again
 */
export function ageLine(lookup: Lookup, titledAt: number | undefined): string[] {
  const asOf = agesOf(lookup);
  const ages = [
    [values, asOf?.values],
    ['the account’s scans', asOf?.scans],
    [lacking, asOf?.absent],
  ] as const;
  const known = ages.flatMap(([of, at]) => (at === undefined ? [] : [{ of, at }]));
  const old = known.filter(({ at }) => lookup.askedAt - at >= minuteMs);
  const minuteOf = (at: number) => Math.floor(at / minuteMs);
  const isOne = old.length === known.length && new Set(old.map(({ at }) => minuteOf(at))).size === 1;
  const minutes = [...new Set(old.map(({ at }) => minuteOf(at)))];
  const lines = minutes.flatMap((minute) => {
    const [first, ...others] = old.filter(({ at }) => minuteOf(at) === minute);
    // The values of a minute are those of all databases that were read in it.
    const named = first && [first, ...others.filter(({ of }) => of !== lacking || first.of !== values)];
    return named && (titledAt === undefined || minute !== minuteOf(titledAt))
      ? [`${listOf(named.map(({ of }) => of))} ${mrkdwnMomentAfter('as of ', first.at)}`]
      : [];
  });
  if (lines.length === 0) {
    return [];
  }
  return isOne ? [mrkdwnMomentAfter('The account as of ', old[0]!.at)] : [upperFirst(lines.join(', '))];
}

/**
 * The line that similar barcodes may be missing, while the first copy lacks values; only of an unknown barcode. Which
 * scans are copied changes no suggestion.
 */
export function copyingLine({ copying }: Pick<Lookup, 'copying'>, { kind }: Pick<Headline, 'kind'>): string[] {
  const { read = 0, of } = copying?.values ?? {};
  return copying?.values && read !== of && kind === 'unknown'
    ? [
        `Scandesk is still copying the account (${copyProgressText({ values: { read, of } })}): it may have similar barcodes.`,
      ]
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
