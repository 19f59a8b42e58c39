/** The face of judging: what a relay's settings make of a scan, and what has to be counted for it. */

export { countingForJudging } from './counters.js';
export * from './databases/index.js';
export { createNameBook, type NameBook } from './name-cache.js';
export { type AheadOf, type AskAhead, type AskAheadDeps, createAskAhead } from './prefetch.js';
export type { Ahead, Judge, JudgeInput, Known, Names, Verdict } from './result.js';
export { createJudge, isJudged, momentOf } from './validate.js';
