/**
 * The face of the relay: what takes scans, what posts them, what people change about it. Knows nothing of Slack.
 */
export { createDelivery, type Delivery, type DeliveryDeps } from './delivery.js';
export { RelayError, type RelayErrorCode } from './errors.js';
export { createIntake, type Intake, type IntakeDeps } from './intake.js';
export { networkProblem } from './networks.js';
export { createPageAccess, createPages, type KnownBarcode, type PageAccess, type PagePaths } from './pages/index.js';
export { patternProblem } from './pattern.js';
export { createRelays, type RelaysDeps } from './relays.js';
export { sampleAnswer, usualAnswer, variablePlaces } from './sample-answer.js';
export { answerSeparator } from './scan.js';
export { hashSecret } from './secrets.js';
export * from './settings.js';
export { createTestScanner, isTestScan, type TestOutcome, type TestScanner, testProperty } from './test-scan.js';
export type * from './types.js';
