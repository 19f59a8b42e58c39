import { judgeRandomHistories } from './judged.js';

// These histories are not those of the suite; JUDGE_RUNS draws more. The three files run side by side.
judgeRandomHistories(667, 20_261_125);
