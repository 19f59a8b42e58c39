/** The public interface of searches for scans, and of searches that people save. It is independent of Slack. */
export { ever } from '../scans/walk.js';
export type { KnownName } from './known-names.js';
export { type ParsedQuery, parseQuery, type QueryProblem } from './parse-query.js';
export { type NamedPart, type ScanQuery, scanQuery, scanResults } from './query.js';
export { openQuotes, queryKeys } from './query-tokens.js';
export { queryWords } from './query-words.js';
export {
  longestSearchName,
  mostSavedSearches,
  type SavedSearch,
  type SavingProblem,
  savedSearches,
  savedSearchRecords,
} from './saved-searches.js';
export {
  createScanSearch,
  type ScanPosition,
  type ScanSearchAnswer,
  type SearchScans,
  scanPosition,
  scanSearchAnswer,
} from './search.js';
export { countIn, type SearchTotals } from './totals.js';
export { parseWhen } from './when.js';
