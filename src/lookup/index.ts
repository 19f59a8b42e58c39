/** The public interface of lookups: one barcode's card, and more of its scans. Independent of Slack. */
import type { Clock } from '../clock.js';
import type { Mirror } from '../mirror/index.js';
import { createLookup, type LookUp } from './lookup.js';
import { createHistories } from './scans/histories.js';
import type { ReceivedScans } from './scans/received.js';
import { createSearch, type MoreScans } from './scans/search.js';
import { createScanSearch, type SearchScans } from './search/search.js';
import type { LookupMirror } from './sources.js';
import { createSuggest, type Suggest, type SuggestionMirror } from './suggestions.js';

export interface Lookups {
  /**
   * Everything one card shows; parts that failed are in it as failures. Identical concurrent lookups share one.
   * @throws AccountError when every part failed: the most useful error
   */
  readonly lookup: LookUp;
  /** A page of a barcode's scans. @throws AccountError */
  readonly moreScans: MoreScans;
  /** The scans kept here that a query looks for. */
  readonly searchScans: SearchScans;
  /** Adds to an unknown barcode's card what may have been meant. */
  readonly suggest: Suggest;
}

/**
 * @param deps.received the relays' scans, where there are relays
 * @param deps.mirror answers without a call; without one, the account is asked for everything
 * @param deps.greenMs how old an answer of the mirror may be that lets somebody in without the account's confirmation
 */
export function createLookups(deps: {
  clock: Clock;
  received?: ReceivedScans | undefined;
  mirror?: (LookupMirror & SuggestionMirror & Pick<Mirror, 'scanWalk'>) | undefined;
  greenMs?: number | undefined;
}): Lookups {
  const histories = createHistories(deps);
  return {
    lookup: createLookup({ ...deps, histories }),
    moreScans: createSearch({ histories }),
    searchScans: createScanSearch(deps),
    suggest: createSuggest(deps),
  };
}

export { sameSpelling } from '../codereadr/barcode-equality.js';
export { hasWrongCheckDigit } from '../gs1/check-digit.js';
export { type Gs1Field, gs1Fields } from '../gs1/describe.js';
export { changedLookup } from './changed.js';
export { failureOf, whyNotChecked } from './failure.js';
export { isAbsent, notAnswered } from './finding.js';
export { type DatedTitle, type Headline, type HeadlineKind, headlineKinds, headlineOf } from './headline.js';
export { type LookupRequest, mostDatabases } from './lookup.js';
export {
  type CountedHour,
  type CountedResult,
  type CountScans,
  countedResults,
  createCountScans,
  type ResultCounts,
} from './scans/counts.js';
export type { PageEnd } from './scans/page-join.js';
export type { ReceivedRecord, ReceivedScans } from './scans/received.js';
export { lastScans, listPageSize, listScans, listUploads, type ScanFilter, scanById } from './scans/scan-list.js';
export { pageSize, type ScanPage } from './scans/search.js';
export { ever } from './search/find-scans.js';
export { parseQuery, type QueryProblem, queryKeys } from './search/parse-query.js';
export { type NamedPart, type ScanQuery, scanQuery, scanResults } from './search/query.js';
export {
  longestSearchName,
  mostSavedSearches,
  type SavedSearch,
  type SavingProblem,
  savedSearches,
  savedSearchRecords,
} from './search/saved-searches.js';
export type { ScanPosition, ScanSearchAnswer, SearchScans } from './search/search.js';
export { type SearchTotals, searchTotals } from './search/totals.js';
export { parseWhen } from './search/when.js';
export { mostByResponse, mostClose } from './suggestions.js';
export {
  type AsOf,
  type DatabaseFinding,
  type Failure,
  failureShape,
  type Lookup,
  lookupShape,
  type RemainingCalls,
  type ScanSummary,
  type SeenScan,
  type Suggestions,
  seenScan,
} from './types.js';
export { listValues } from './value-list.js';
export { readValueState, sameResponse, sameState, type ValueState } from './value-state.js';
