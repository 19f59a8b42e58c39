import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.long.test.ts'],
    // Most tests wait for sockets and disks rather than compute: more of them at once than there are cores.
    maxWorkers: 4,
    // Machines are noisy: patience decides only how long a failure takes to show.
    testTimeout: 60_000,
    hookTimeout: 90_000,
    // On a shared machine one slow moment must not decide; what is broken fails three times.
    retry: process.env.CI ? 2 : 0,
    expect: { poll: { timeout: 20_000 } },
  },
});
