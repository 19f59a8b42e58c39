/** Public interface of the relay: intake, delivery, and what people change. Independent of Slack. */

export { type Incident, isCurrent, messageKeyOf } from '../incidents/incident.js';
export { answerSeparator } from '../scans/received/received-scan-rows.js';
export { isTestScan, testProperty } from '../scans/received/test-scan.js';
export { longestMuteMs, mostMutedPosts } from '../watches/mutes.js';
export { countOfBarcodes, eraseBarcodes } from '../watches/watch-and-mute-rows.js';
export { type ConditionKind, headings } from './conditions/condition.js';
export { dayNames, describeHours } from './conditions/parts/describe-hours.js';
export { patternMistake } from './conditions/parts/describe-pattern-error.js';
export type { ConditionPart, Entry, PartInput } from './conditions/parts/field.js';
export { createIntake, type IntakeDeps } from './intake/handler.js';
export { hashSharedSecret } from './intake/shared-secret.js';
export { createDelivery, type DeliveryDeps } from './posts/delivery.js';
export type { RelayNotice } from './posts/notices.js';
export type { UndeliveredPosts } from './posts/undelivered-notices.js';
export { RelayError } from './record/errors.js';
export { createIpAllowList, networkProblem, senderOf } from './record/ip-allow-list.js';
export * from './record/settings.js';
export { createRefusalCounts } from './refusals/count.js';
export { createRefusalPurge, othersSender, type RefusedReason } from './refusals/refusal-rows.js';
export { eraseHooks } from './relays/erase.js';
export { createRelayPurge } from './relays/purge.js';
export { createRelays, type Relays } from './relays/service.js';
export {
  type AccountScan,
  createRelayStatus,
  noRelay,
  type PlannedRelay,
  type PreviewedScans,
  type PreviewSpan,
  previewedScans,
  type RelayReport,
  type RelayStatus,
} from './relays/status.js';
export { createSendTestScan, type TestOutcome } from './relays/test-scan.js';
export type * from './relays/types.js';
export type { RelayValidator } from './relays/validator.js';
export { createScanErasure, type ScanCounts } from './retention/erase.js';
export type { NotablePost } from './rules/evaluate.js';
export type { PreviewedScan } from './rules/preview.js';
export { firstSilenceAt, type PreviewedIncidents, previewIncidents } from './rules/preview-incidents.js';
export { silenceOf } from './rules/ready.js';
export { zoneOfRule } from './rules/route.js';
export {
  createDatabaseLookup,
  createNameCache,
  createRequiredDatabases,
  type DatabaseLookup,
  type ValidationPreview,
} from './validation/index.js';
export { defaultAnswer, sampleAnswer, templatePlaceholders } from './validation/sample-answer.js';
export { isUrlTemplate } from './validation/template.js';
