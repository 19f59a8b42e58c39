/** The face of judging: what a relay's settings make of a scan, and what has to be counted for it. */
export { type AheadOf, type AskAhead, type AskAheadDeps, createAskAhead } from './ahead.js';
export { countingForJudging } from './counting.js';
export * from './databases/index.js';
export { createJudge, isJudged, momentOf } from './judge.js';
export { createNameBook, type NameBook } from './names.js';
export type { Ahead, Judge, JudgeInput, Known, Names, Verdict } from './verdict.js';
