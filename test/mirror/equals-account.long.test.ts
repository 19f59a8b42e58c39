import { shareOf } from '../helpers/effort.js';
import { equalsTheAccount } from './random-changes.js';

equalsTheAccount(shareOf(10_000));
