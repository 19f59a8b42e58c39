/** The age of the values and of the scans that a card shows, and why the account did not confirm them. Pure. */
import { upperFirst } from '../../../english.js';
import { type Ages, agesOf, type Headline, type Lookup, whyUnconfirmed } from '../../../lookup/index.js';
import { copyProgressText } from '../../block-kit/copy-progress.js';
import { deletedAfter, stillIncluded } from '../../block-kit/scans-as-of.js';
import { type LinePart, momentAfter, mrkdwnMomentAfter } from '../../block-kit/text.js';
import { failureLine } from './failure-line.js';

/** Ages below a minute are given in seconds. */
const minuteMs = 60_000;

/**
 * The ages: `The account’s scans as of 12 s ago, values as of 14:02, not in other databases as of 13:58`, as mrkdwn.
 * @param lasting whether people read the card later too: it then gives times, not ages
 */
export function asOfLine(asOf: Ages | undefined, askedAt: number, lasting = false): string[] {
  const age = (at: number) => (lasting ? mrkdwnMomentAfter('as of ', at) : ageText(at, askedAt));
  const fullAt = asOf?.fullAt;
  const parts = [
    ...(asOf?.scans === undefined ? [] : [`the account’s scans ${age(asOf.scans)}`]),
    ...(asOf?.values === undefined ? [] : [`values ${age(asOf.values)}`]),
    ...(asOf?.absent === undefined ? [] : [`not in other databases ${age(asOf.absent)}`]),
  ].join(', ');
  const deleted = fullAt === undefined ? [] : [mrkdwnMomentAfter(deletedAfter, fullAt) + stillIncluded];
  const sentences = [...(parts === '' ? [] : [upperFirst(parts)]), ...deleted];
  return sentences.length === 0 ? [] : [sentences.join('. ')];
}

function ageText(at: number, askedAt: number): string {
  const age = askedAt - at;
  // An edited value is younger than its card's lookup.
  if (age < 1_000 && age > -minuteMs) {
    return 'as of now';
  }
  return age > 0 && age < minuteMs ? `as of ${Math.floor(age / 1_000)} s ago` : mrkdwnMomentAfter('as of ', at);
}

/** The line that says how far the first copy of the account is, while it is not complete. */
export function copyingLine({ copying }: Pick<Lookup, 'copying'>): string[] {
  return copying ? [`Copying the account’s data: ${copyProgressText(copying)}.`] : [];
}

/** The line that the account did not confirm the result; below a title that says so, the reason alone. */
export function uncheckedLine(lookup: Lookup, { kind, dated }: Headline): LinePart[][] {
  const { values, scans } = agesOf(lookup) ?? {};
  const times = [values, scans].flatMap((at) => at ?? []);
  const reason = whyUnconfirmed(lookup);
  if (reason && (kind === 'not_confirmed' || dated?.after)) {
    return [failureLine(reason)];
  }
  return reason && times.length > 0
    ? [[momentAfter('Known as of ', Math.min(...times)), ', not confirmed since: ', ...failureLine(reason, true)]]
    : [];
}
