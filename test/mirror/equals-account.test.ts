import { equalsTheAccount } from './random-changes.js';

equalsTheAccount(1_000);
