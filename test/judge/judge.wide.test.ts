import { judgeRandomHistories } from './judged.js';

judgeRandomHistories(50, 20_261_123);
