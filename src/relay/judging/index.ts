/** The face of judging: what a relay's settings make of a scan, and what has to be counted for it. */
export { createJudge } from './judge.js';
export type { Ahead, Judge, JudgeInput, Verdict } from './verdict.js';
