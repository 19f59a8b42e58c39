import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: process.env.UPDATE_FIXTURES ? ['test/upgrade/record.ts'] : ['test/**/*.long.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    // On a shared machine one slow moment must not decide; what is broken fails three times.
    retry: process.env.CI ? 2 : 0,
    expect: { poll: { timeout: 30_000 } },
    fileParallelism: false,
  },
});
