/** The face of judging: what a relay's settings make of a scan, and what has to be counted for it. */
export { countingForJudging } from './counting.js';
export { createJudge, isJudged, momentOf } from './judge.js';
export type { Ahead, Judge, JudgeInput, Known, Names, Verdict } from './verdict.js';
