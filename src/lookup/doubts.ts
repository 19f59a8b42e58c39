/**
 * The parts of a lookup from the mirror that the account has to confirm: those that let somebody in or turn them away
 * as unknown, and those that are too old. Pure.
 */
import type { Attempt } from '../codereadr/attempt.js';
import { type Headline, headlineOf, isDeletable } from './headline.js';
import type { ScansPart, ValuesPart } from './sources.js';
import type { Lookup } from './types.js';

/** How many databases confirm a lookup, but for old copies without the barcode: there are 30 calls a minute for all. */
const mostConfirmed = 3;

export interface SourceAnswers {
  readonly listed: Attempt<readonly { readonly id: string }[]>;
  readonly values: readonly ValuesPart[];
  readonly scans: ScansPart;
  /** How many databases were asked to confirm the lookup so far. */
  readonly asked: number;
  /** Whether the barcode is one of several: its values are then shown as of their copy. */
  readonly several: boolean;
  /** The age from which answers need to be confirmed, whatever they say. */
  readonly greenMs: number;
}

export function doubtsOf(lookup: Lookup, answered: SourceAnswers) {
  // The headline if nothing were too old: it decides which parts to confirm.
  const headline = headlineOf({
    ...lookup,
    asOf: { ...lookup.asOf, greenMs: Number.POSITIVE_INFINITY, doubtful: false },
  });
  return {
    databaseIds: doubtfulValues(lookup, headline, answered).map(({ databaseId }) => databaseId),
    scans: areScansDoubtful(lookup, headline, answered),
  };
}

function doubtfulValues(
  { findings, askedAt }: Lookup,
  { kind, tone }: Headline,
  { listed, values, asked, several, greenMs }: SourceAnswers,
): readonly ValuesPart[] {
  const isOld = ({ at }: ValuesPart) => askedAt - at >= greenMs;
  const unasked = values.filter(({ live, failure }) => !live && !failure).sort((one, other) => one.at - other.at);
  const holdingValues = unasked.filter(({ databaseId }) =>
    findings.some((finding) => finding.kind === 'known' && finding.database.id === databaseId),
  );
  const isGone = ({ databaseId }: ValuesPart) => listed.ok && !listed.value.some(({ id }) => id === databaseId);
  if (several) {
    return holdingValues.filter(isGone);
  }
  const confirmationsLeft = Math.max(0, mostConfirmed - asked);
  if (kind === 'unknown') {
    return unasked
      .filter((part) => !part.surelyAbsent || isOld(part))
      .filter((part, place) => place < confirmationsLeft || isOld(part));
  }
  const isSure = kind === 'no_admission' || kind === 'incomplete' || tone === 'good';
  const asking = holdingValues.filter((part) => isSure || isOld(part)).slice(0, confirmationsLeft);
  return [
    ...holdingValues.filter((part) => asking.includes(part) || isGone(part)),
    ...unasked.filter((part) => isSure && isOld(part) && !holdingValues.includes(part)),
  ];
}

function areScansDoubtful(
  { askedAt, history }: Lookup,
  headline: Headline,
  { scans: { live, failure, at, fullAt }, several, greenMs }: SourceAnswers,
): boolean {
  if (live || failure) {
    return false;
  }
  switch (headline.kind) {
    // The account has older scans than the mirror: that there is no admission is read there, of several barcodes too.
    case 'no_admission':
    case 'incomplete':
      return true;
    case 'scanned':
    case 'refused':
    case 'used':
      return !several && askedAt - (isDeletable(headline.scan?.scan) ? (fullAt ?? 0) : at) >= greenMs;
    // A scan that was deleted stays in the copy until the next full pass.
    case 'unknown':
      return !several && history.scans.length > 0;
    default:
      return false;
  }
}
