import { judgeRandomHistories } from './judged.js';

// Others than those of the suite, and 2,000 where JUDGE_RUNS says so.
judgeRandomHistories(200, 20_261_124);
