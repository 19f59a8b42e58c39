import { equalsTheAccount } from './random-changes.js';

equalsTheAccount(10_000);
