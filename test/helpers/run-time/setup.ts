/** Notes the processor time of each test file in its `meta`: a worker runs its files one after the other. A setup file. */
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** The milliseconds of processor time that the file took in its worker, imports included. */
    processorMs?: number;
  }
}

const before = process.cpuUsage();

// biome-ignore lint/correctness/noEmptyPattern: the suite is the second argument, and vitest reads the first one's pattern.
afterAll(({}, suite) => {
  const { user, system } = process.cpuUsage(before);
  suite.file.meta.processorMs = (user + system) / 1000;
});
