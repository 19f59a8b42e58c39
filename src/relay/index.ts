/** Public interface of the relay: intake, delivery, and what people change. Independent of Slack. */
export { createDelivery, type Delivery, type DeliveryDeps } from './delivery/dispatcher.js';
export { eraseHooks } from './erase.js';
export { RelayError, type RelayErrorCode } from './intake/errors.js';
export { createIntake, type Intake, type IntakeDeps } from './intake/handler.js';
export { createIpAllowList, type IpAllowList, networkProblem, senderOf } from './intake/ip-allow-list.js';
export { answerSeparator } from './intake/parse.js';
export { createPageAccess, createPages, type KnownBarcode, type PageAccess, type PagePaths } from './pages/index.js';
export type { RelayGate } from './relays/gate.js';
export { createRelays, type RelaysDeps } from './relays/service.js';
export * from './relays/settings.js';
export { hashProof } from './relays/shared-secret.js';
export {
  createRelayStatus,
  type NamedRelay,
  type PlannedRelay,
  previewedScans,
  type RelayReport,
  type RelayStatus,
  type ScanOnRecord,
} from './relays/status.js';
export { createTestScanner, isTestScan, type TestOutcome, type TestScanner, testProperty } from './relays/test-scan.js';
export type * from './relays/types.js';
export { isDecimal } from './rules/decimal.js';
export type { NotablePost } from './rules/evaluate.js';
export { isPatternTooLarge, patternProblem } from './rules/pattern.js';
export type { PreviewedScan } from './rules/preview.js';
export {
  createDatabases,
  createNameCache,
  type DatabaseLookup,
  type DatabaseMirrors,
  type Databases,
  type MirrorState,
  type NameCache,
} from './validation/index.js';
export { defaultAnswer as usualAnswer, sampleAnswer, variablePlaces } from './validation/sample-answer.js';
