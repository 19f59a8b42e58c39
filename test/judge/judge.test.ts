import { judgeRandomHistories } from './judged.js';

judgeRandomHistories(25, 20_261_123);
