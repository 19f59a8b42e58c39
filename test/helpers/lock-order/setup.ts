/** Fails each test, or file, in which a PostgreSQL transaction locked against the documented order. A setup file. */
import { afterAll, afterEach } from 'vitest';
import { reportLocks, watchLocks } from './watch.js';

watchLocks();
afterEach(reportLocks);
afterAll(reportLocks);
