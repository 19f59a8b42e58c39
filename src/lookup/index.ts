/** The public interface of lookups: one barcode's card, and more of its scans. They are independent of Slack. */
import type { Clock } from '../clock.js';
import type { Scans } from '../scans/index.js';
import type { LookupRelays } from './assemble.js';
import { createLookupByReading } from './by-reading.js';
import { createLookup } from './lookup.js';
import { createHistories } from './scans/histories.js';
import { createSearch } from './scans/search.js';
import type { LookupMirror } from './sources.js';
import { createSuggest, type SuggestionMirror } from './suggestions/suggest.js';

/**
 * @param deps.relays what relays know of the scans they received; undefined: there are no relays
 * @param deps.mirror the account's copy, which answers without an API call; undefined: the account is asked everything
 * @param deps.greenMs the greatest age of the copy at which a green headline needs no confirmation by the account
 */
export function createLookups(deps: {
  clock: Clock;
  scans: Scans;
  relays?: LookupRelays | undefined;
  mirror?: (LookupMirror & SuggestionMirror) | undefined;
  greenMs?: number | undefined;
}) {
  const histories = createHistories(deps);
  return {
    /**
     * The lookup of a barcode, or of its equal reading that a database holds. Parts that failed are in it as failures. Identical concurrent lookups share one.
     * @throws AccountError when every part failed: the most useful error
     */
    lookup: createLookupByReading(createLookup({ ...deps, histories }), deps.mirror),
    /** A page of a barcode's scans. @throws AccountError */
    moreScans: createSearch({ histories, mirror: deps.mirror }),
    /** Adds suggestions to an unknown barcode's lookup; the same one where there is nothing to suggest. */
    suggest: createSuggest(deps),
  };
}

export type Lookups = ReturnType<typeof createLookups>;

export { type Failure, failureOf, failureShape } from '../codereadr/attempt.js';
export { sameSpelling } from '../codereadr/barcode-equality.js';
export { listPageSize, type PageEnd } from '../codereadr/lists/page-join.js';
export { listValues } from '../codereadr/lists/value-list.js';
export { hasWrongCheckDigit } from '../gs1/check-digit.js';
export { type Gs1Field, gs1Fields } from '../gs1/describe.js';
export { mayNeedSeparators } from '../gs1/parse.js';
export { lastScans, listScans, listUploads, type ScanFilter, scanById } from '../scans/account/list.js';
export type { SeenScan } from '../scans/seen-scan.js';
export type { LookupRequest } from './assemble.js';
export type { ReadingRequest } from './by-reading.js';
export { changedLookup } from './changed.js';
export { isDeletable } from './checked-scans.js';
export { isAbsent, isUnknown, notAnswered } from './finding.js';
export { type Ages, agesOf, drawnAt, type Headline, headlineOf, headlineShape } from './headline.js';
export { mostDatabases } from './lookup.js';
export {
  type CountedHour,
  type CountedResult,
  type CountScans,
  countedResults,
  createCountScans,
  type ResultCounts,
  type ScansKnown,
} from './scans/counts.js';
export { pageSize, type ScanPage } from './scans/search.js';
export { mostByResponse, mostClose } from './suggestions/suggest.js';
export { leastOf as least } from './summary.js';
export {
  type DatabaseFinding,
  type Fact,
  type Lookup,
  lookupShape,
  type RemainingCalls,
  type ScanSummary,
  type Suggestions,
} from './types.js';
export { readValueState, sameResponse, sameState, type ValueState, valueState } from './value-state.js';
export { type HeadlineDoubt, type HeadlineKind, headlineKinds, resultOfHeadline } from './verdict.js';
export { defaultGreenMs } from './worlds.js';
