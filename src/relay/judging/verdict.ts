/**
 * Owns the words of judging: what a judge is asked, what it answers.
 */
import type { Counts, IncomingScan } from '../../store/index.js';
import type { Finding } from '../settings.js';
import type { Why } from '../types.js';

/** What was asked ahead of the commit. */
export interface Ahead {
  /** The scan was made well before it came. */
  readonly late: boolean;
}

export interface Verdict {
  readonly finding: Finding;
  readonly valid: boolean;
  /** What the device is answered. */
  readonly text: string;
  readonly late: boolean;
  readonly why?: Why;
  /** JSON: what else the device is answered. */
  readonly reply?: string;
}

export interface JudgeInput {
  readonly scan: IncomingScan<Ahead>;
  readonly counts: Counts;
}

/** Called inside the commit: no promise, nothing slow. */
export type Judge = (input: JudgeInput) => Verdict;
