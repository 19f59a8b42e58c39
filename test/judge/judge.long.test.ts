import { judgeRandomHistories } from './judged.js';

// Other histories in each run: the title names the seed.
judgeRandomHistories(200, Date.now() % 2 ** 31);
