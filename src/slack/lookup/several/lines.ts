/** The lines of a card of several barcodes, from each barcode's lookup. Pure. */
import type { AccountError } from '../../../codereadr/types.js';
import { type Failure, headlineOf, headlineShape, type Lookup } from '../../../lookup/index.js';
import { cut } from '../../block-kit/elements.js';
import { problemText } from '../../bolt/problem/problem.js';
import { deletedSinceOf } from '../card/as-of.js';
import { causeOf, shortCauseOf } from '../card/failure-line.js';
import { decidingPlaces } from '../card/lookup-answer.js';
import type { BarcodeResult, Resolved } from '../resolve-barcodes.js';
import type { SeveralAnswer, SeveralLine } from './record-store.js';

/** The most characters of a response: nobody reads more of one in a list. */
const longestResponse = 80;
/** The most characters of a barcode that was left out or is too long: a barcode of 100 code points has 200 at most. */
const longestLeftOut = 200;

export function severalAnswer(
  { results, leftOut, parted }: Pick<Resolved, 'results' | 'leftOut' | 'parted'>,
  askedAt: number,
  connectedAt: number | undefined,
  symbologies: ReadonlyMap<string, string> = new Map(),
): SeveralAnswer {
  const lookups = results.flatMap((result) => (result.kind === 'answered' ? [result.lookup] : []));
  return {
    lines: results.map((result) => ({ ...lineOf(result), symbology: symbologies.get(result.value) })),
    leftOut: leftOut.map((text) => cut(text, longestLeftOut)),
    parted,
    askedAt,
    // A refresh costs one call for each database, and one for the scans.
    cost: lookups.reduce((sum, { findings }) => sum + findings.length + 1, results.length - lookups.length),
    connectedAt,
  };
}

function lineOf(result: BarcodeResult): SeveralLine {
  const { value } = result;
  switch (result.kind) {
    case 'answered':
      return answeredLine(result.lookup);
    case 'failed':
      return failedLine(value, result.error);
    case 'too_long':
      return { kind: 'too_long', value: cut(value, longestLeftOut), length: result.length };
  }
}

function answeredLine(lookup: Lookup): SeveralLine {
  const { findings, reading, askedAt } = lookup;
  const value = reading?.typed ?? lookup.value;
  const headline = headlineOf(lookup);
  const { kind, scan, failure } = headline;
  if (kind === 'not_checked' && failure?.code === 'account.quota') {
    return noCallsLine(value, failure.quota);
  }
  const knownFindings = findings.filter((finding) => finding.kind === 'known');
  const [firstFinding] = knownFindings;
  return {
    kind: 'answered',
    value,
    reading: reading && lookup.value,
    headline: headlineShape.parse(headline),
    ...whyOf(failure),
    scan: scan && scanOf(scan, headline.title),
    database: firstFinding && {
      name: firstFinding.database.name,
      // The headline of a barcode that is not valid contains the response.
      response: kind === 'not_valid' ? '' : cut(firstFinding.response.replace(/\s+/g, ' ').trim(), longestResponse),
      others: knownFindings.length - 1,
    },
    scansAt: deletedSinceOf(lookup, headline, askedAt),
  };
}

/** Where calls ran out, the card draws the time of the remedy in each reader's zone. */
function whyOf(failure: Failure | undefined) {
  return failure?.code === 'account.quota' && failure.quota
    ? { why: shortCauseOf(failure), ...quotaOf(failure.quota) }
    : { why: failure && causeOf(failure) };
}

function scanOf({ label, scan }: NonNullable<ReturnType<typeof headlineOf>['scan']>, title: string) {
  const { at, atText, service, user } = scan;
  const by = decidingPlaces({ service, user, device: { id: '', name: '' } }, title);
  return { label, at, atText, by };
}

function failedLine(value: string, error: AccountError): SeveralLine {
  return error.code === 'account.quota'
    ? noCallsLine(value, error.quota)
    : { kind: 'failed', value, what: problemText(error) };
}

function noCallsLine(value: string, quota: Failure['quota']): SeveralLine {
  return { kind: 'no_calls', value, ...quotaOf(quota) };
}

function quotaOf(quota: Failure['quota']) {
  return { until: quota?.againAt, period: quota?.period };
}
