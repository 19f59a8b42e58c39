/**
 * The face of the store: how it is opened, what it is, what can go wrong in it.
 */

export { isStorableText } from '../database/bind-values.js';
export { StoreError, type StoreErrorCode } from '../database/errors.js';
export { createIds, leastId, type MakeId } from '../database/ids.js';
export type { OutboxState, PostKind, Schema } from '../database/schema.js';
export { createPostedStore, type PostedStore } from '../relay/delivery/outbox/acknowledgements.js';
export type { Backlog } from '../relay/delivery/outbox/digest-backlog.js';
export { createToldStore, type Tally, type ToldStore } from '../relay/delivery/outbox/digest-counts.js';
export type { Lane } from '../relay/delivery/outbox/leases.js';
export { createPostEdits, type PostEdit, type PostEdits } from '../relay/delivery/outbox/message-updates.js';
export { createOutbox, type OutboxPost, type OutboxStore } from '../relay/delivery/outbox/outbox.js';
export {
  createUndeliveredNotices,
  type UndeliveredNotices,
  type UndeliveredPosts,
} from '../relay/delivery/outbox/undelivered-notices.js';
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
} from '../relay/intake/commit/index.js';
export { createRelayWork, type RelayWork } from '../relay/relays/by-id.js';
export { createLeftBehind, type LeftBehind } from '../relay/relays/erase.js';
export type { RelayAccess, RelayOverview, RelayRecord } from '../relay/relays/records.js';
export {
  type AsideReason,
  createRelayInsightStore,
  type EndedSecret,
  type RelayInsightStore,
} from '../relay/relays/status-table.js';
export { createRelayStore, type RelayChange, type RelayStore, type SeenRelay } from '../relay/relays/table.js';
export {
  type AttentionStore,
  createAttentionStore,
  type Muted,
  type MuteRecord,
  type Onlooker,
  type WatchRecord,
} from '../relay/relays/watches-and-mutes.js';
export {
  createRuleTimers,
  type RuleTimers,
  type Silence,
  type SilenceAnswer,
  type SilenceNow,
} from '../relay/rules/timers-table.js';
export { createDeviceScans, type DeviceScans } from '../relay/scans/by-device.js';
export { type Count, type Counting, type Counts, type Subject, subjects } from '../relay/scans/counters.js';
export { createRetention, type Dropped, type Retention } from '../relay/scans/retention.js';
export {
  createScanStore,
  type EarlierScans,
  type ReceivedScanRecord,
  type ScanRecord,
  type ScanStore,
  utcMoment,
} from '../relay/scans/table.js';
export type { ThrownAway } from '../relay/scans/thrown-away-table.js';
export { type CopyRecord, type CopyStore, createCopyStore } from '../relay/validation/databases/mirror-table.js';
export type { CopiedValue } from '../relay/validation/databases/mirror-values.js';
export type { SealedKind } from '../workspaces/rotate-keys.js';
export { createSealer } from '../workspaces/sealing.js';
export { openStore, type StoreOptions } from './store.js';
export type * from './types.js';
