/** Public interface of the relay: intake, delivery, and what people change. Independent of Slack. */

export { isTestScan, testProperty } from '../scans/received/test-scan.js';
export { isCurrent, messageKeyOf } from './incidents/incident.js';
export { RelayError } from './intake/errors.js';
export { createIntake, type IntakeDeps } from './intake/handler.js';
export { createIpAllowList, networkProblem, senderOf } from './intake/ip-allow-list.js';
export { answerSeparator } from './intake/parse.js';
export { createPageAccess, createPages, type KnownBarcode, type PageAccess, type PagePaths } from './pages/index.js';
export { createDelivery, type DeliveryDeps } from './posts/delivery.js';
export { eraseHooks } from './relays/erase.js';
export { createRelayPurge } from './relays/purge.js';
export { hashSharedSecret } from './relays/secrets/shared-secret.js';
export { createRelays } from './relays/service.js';
export * from './relays/settings.js';
export {
  type AccountScan,
  createRelayStatus,
  type PreviewSpan,
  previewedScans,
  type RelayReport,
  type RelayStatus,
} from './relays/status.js';
export { createTestScanner, type TestOutcome, type TestScanner } from './relays/test-scan.js';
export type * from './relays/types.js';
export type { RelayValidator } from './relays/validator.js';
export { longestMuteMs, mostMutedPosts } from './relays/watches-and-mutes/mutes.js';
export { countOfBarcodes, eraseBarcodes } from './relays/watches-and-mutes/table.js';
export { createScanErasure, type ScanCounts, type ScanErasure } from './retention/erase.js';
export { isDecimal } from './rules/conditions/decimal.js';
export { isPatternTooLarge, patternProblem } from './rules/conditions/pattern.js';
export type { NotablePost } from './rules/evaluate.js';
export type { PreviewedScan } from './rules/preview.js';
export { burstOf, silenceOf } from './rules/ready.js';
export {
  createDatabaseLookup,
  createNameCache,
  createRequiredDatabases,
  type DatabaseLookup,
  type ValidationPreview,
} from './validation/index.js';
export {
  defaultAnswer,
  sampleAnswer,
  templatePlaceholders,
} from './validation/sample-answer.js';
export { isUrlTemplate } from './validation/template.js';
