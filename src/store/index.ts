/**
 * The face of the store: how it is opened, what it is, what can go wrong in it.
 */

export {
  type AttentionStore,
  createAttentionStore,
  type Muted,
  type MuteRecord,
  type Onlooker,
  type WatchRecord,
} from './attention.js';
export type { Backlog } from './backlog.js';
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
export type { CopiedValue } from './copied-values.js';
export { type CopyRecord, type CopyStore, createCopyStore } from './copies.js';
export { type Count, type Counting, type Counts, type Subject, subjects } from './counting.js';
export { createDeviceScans, type DeviceScans } from './device-scans.js';
export { isStorableText } from './edge.js';
export { createLeftBehind, type LeftBehind } from './erase-relays.js';
export { StoreError, type StoreErrorCode } from './errors.js';
export { createIds, leastId, type MakeId } from './ids.js';
export type { Lane } from './lane-claims.js';
export { createOutbox, type OutboxPost, type OutboxStore } from './outbox.js';
export { createPostEdits, type PostEdit, type PostEdits } from './post-edits.js';
export { createPostedStore, type PostedStore } from './posted.js';
export {
  type AsideReason,
  createRelayInsightStore,
  type EndedSecret,
  type RelayInsightStore,
} from './relay-insight.js';
export type { RelayAccess, RelayOverview, RelayRecord } from './relay-records.js';
export { createRelayWork, type RelayWork } from './relay-work.js';
export { createRelayStore, type RelayChange, type RelayStore, type SeenRelay } from './relays.js';
export type { SealedKind } from './reseal.js';
export { createRetention, type Dropped, type Retention } from './retention.js';
export { createRuleTimers, type RuleTimers, type Silence, type SilenceAnswer, type SilenceNow } from './rule-timers.js';
export {
  createScanStore,
  type EarlierScans,
  type ReceivedScanRecord,
  type ScanRecord,
  type ScanStore,
  utcMoment,
} from './scans.js';
export type { OutboxState, PostKind, Schema } from './schema.js';
export { createSealer } from './secrets.js';
export { openStore, type StoreOptions } from './store.js';
export type { ThrownAway } from './thrown-away.js';
export { createToldStore, type Tally, type ToldStore } from './told.js';
export type * from './types.js';
export { createUndeliveredNotices, type UndeliveredNotices, type UndeliveredPosts } from './undelivered-notices.js';
