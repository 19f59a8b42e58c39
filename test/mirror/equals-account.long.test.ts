import { shareOf } from '../helpers/long-share.js';
import { equalsTheAccount } from './random-changes.js';

equalsTheAccount(shareOf(10_000));
