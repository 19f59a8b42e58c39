/** Public interface of validation: the result for a scan under a relay's settings, and the counters it needs. */

export { countingForJudging } from './counters.js';
export * from './databases/index.js';
export { createNameCache, type NameCache } from './name-cache.js';
export { type AheadOf, type AskAhead, type AskAheadDeps, createAskAhead } from './prefetch.js';
export type { AnswerNames, Judge, JudgeInput, KnownValue, Prefetched, ValidationResult } from './result.js';
export { createJudge, isJudged, momentOf } from './validate.js';
