import { shareOf } from '../helpers/long-share.js';
import { judgeRandomHistories } from './judged.js';

// These histories are not those of the suite. The three files run side by side.
judgeRandomHistories(shareOf(667), 20_261_125);
