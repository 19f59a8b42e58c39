import { effort } from '../helpers/effort.js';
import { judgeRandomHistories } from './judged.js';

judgeRandomHistories(effort({ short: 15, long: 50 }), 20_261_123);
