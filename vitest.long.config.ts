import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.long.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    fileParallelism: false,
  },
});
