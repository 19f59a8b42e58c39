/**
 * The parts of a lookup from the mirror that the account has to confirm: those that let somebody in or turn them away
 * as unknown, and those that are too old. Pure.
 */
import type { Database, Service } from '../codereadr/types.js';
import { freshListMs, type ListPart } from './account-lists.js';
import { isAdmission, isUnlisted } from './checked-scans.js';
import { type Headline, headlineOf, isDeletable, letsIn } from './headline.js';
import type { ScansPart, ValuesPart } from './sources.js';
import type { Lookup } from './types.js';

/** How many databases confirm a lookup, but for old copies without the barcode: there are 30 calls a minute for all. */
const mostConfirmed = 3;

export interface SourceAnswers {
  readonly listed: ListPart<Database>;
  /** Undefined: no scan of the barcode can have been checked by a service. */
  readonly services: ListPart<Service> | undefined;
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
    databaseList:
      (letsIn(headline) || headline.kind === 'unknown') &&
      lookup.lists?.databases !== undefined &&
      isDoubtful(answered.listed, lookup.askedAt),
    serviceList: letsIn(headline) ? doubtfulServices(lookup, answered.services) : undefined,
  };
}

function isDoubtful({ asked, at, list }: ListPart<unknown>, askedAt: number): boolean {
  return !asked && list.ok && askedAt - at >= freshListMs;
}

/** How long a device's clock may be behind: a service that made a scan may be younger than a list as old as the scan. */
const clocksDifferMs = 5 * 60_000;

/** The age up to which the list of services need not be asked again; undefined: it is sure. */
function doubtfulServices({ history, gates, askedAt }: Lookup, services: ListPart<Service> | undefined) {
  if (!services?.list.ok || services.asked) {
    return undefined;
  }
  const { at } = services;
  const isNew = history.scans.some(
    (scan) => isAdmission(scan) && isUnlisted(scan, gates) && (scan.at ?? askedAt) + clocksDifferMs > at,
  );
  return isNew ? 0 : isDoubtful(services, askedAt) ? freshListMs : undefined;
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
  const isGone = ({ databaseId }: ValuesPart) =>
    listed.list.ok && !listed.list.value.some(({ id }) => id === databaseId);
  if (several) {
    return holdingValues.filter(isGone);
  }
  const confirmationsLeft = Math.max(0, mostConfirmed - asked);
  if (kind === 'unknown') {
    return unasked
      .filter((part) => !part.surelyAbsent || isOld(part))
      .filter((part, place) => place < confirmationsLeft || isOld(part));
  }
  const isSure = kind === 'no_admission' || kind === 'incomplete' || kind === 'elsewhere' || tone === 'good';
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
    case 'elsewhere':
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
