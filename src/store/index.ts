/**
 * The face of the store: how it is opened, what it is, what can go wrong in it.
 */
export {
  type CommitResult,
  createScanCommit,
  type Decide,
  type DecidedPost,
  type Decision,
  type Facts,
  type IncomingScan,
  type MuteFact,
  type RevisionFacts,
  type RuleFacts,
  type RuleNeeds,
  type RulesPort,
  type ScanCommit,
  type WatchFact,
} from './commit/index.js';
export { type Count, type Counting, type Counts, type Subject, subjects } from './counting.js';
export { isStorableText } from './edge.js';
export { StoreError, type StoreErrorCode } from './errors.js';
export { createIds, leastId, type MakeId } from './ids.js';
export { createOutbox, type Lane, type OutboxPost, type OutboxStore } from './outbox.js';
export type { RelayAccess, RelayOverview, RelayRecord } from './relay-records.js';
export { createRelayWork, type RelayWork } from './relay-work.js';
export { createRelayStore, type RelayChange, type RelayStore } from './relays.js';
export { createScanStore, type ReceivedScanRecord, type ScanRecord, type ScanStore, utcMoment } from './scans.js';
export type { OutboxState, Schema } from './schema.js';
export { createSealer } from './secrets.js';
export { openStore, type StoreOptions } from './store.js';
export type * from './types.js';
