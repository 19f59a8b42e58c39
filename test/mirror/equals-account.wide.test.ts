import { equalsTheAccount } from './random-changes.js';

equalsTheAccount(300);
