import { judgeRandomHistories } from './judged.js';

// Others than those of the suite; JUDGE_RUNS draws more. The files run side by side.
judgeRandomHistories(667, 20_261_125);
