/**
 * The face of the relay: what takes scans, what posts them, what people change about it. Knows nothing of Slack.
 */
export { createDelivery, type Delivery, type DeliveryDeps } from './delivery.js';
export { RelayError, type RelayErrorCode } from './errors.js';
export type { RelayGate } from './gate.js';
export {
  createRelayInsight,
  type NamedRelay,
  type PlannedRelay,
  previewedScans,
  type RelayInsight,
  type RelayReport,
  type ScanOnRecord,
} from './insight.js';
export { createIntake, type Intake, type IntakeDeps } from './intake.js';
export {
  type Copies,
  type CopyState,
  createDatabases,
  createNameBook,
  type Databases,
  type Knowledge,
  type NameBook,
} from './judging/index.js';
export { createNetworks, type Networks, networkProblem, senderOf } from './networks.js';
export { createPageAccess, createPages, type KnownBarcode, type PageAccess, type PagePaths } from './pages/index.js';
export { isPatternTooLarge, patternProblem } from './pattern.js';
export { hashProof } from './proof.js';
export { createRelays, type RelaysDeps } from './relays.js';
export { isDecimal } from './rules/decimal.js';
export type { NotablePost } from './rules/evaluate.js';
export type { PreviewedScan } from './rules/preview.js';
export { sampleAnswer, usualAnswer, variablePlaces } from './sample-answer.js';
export { answerSeparator } from './scan.js';
export * from './settings.js';
export { createTestScanner, isTestScan, type TestOutcome, type TestScanner, testProperty } from './test-scan.js';
export type * from './types.js';
