import { judgeRandomHistories } from './judged.js';

// A quarter of 2,000, others than those of the suite; files run side by side.
judgeRandomHistories(500, 20_261_126);
