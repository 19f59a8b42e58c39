/** `it`, for what the long tier alone holds, beside tests of the suite in one file: see `runner.ts`. */
import { it, type TestFunction } from 'vitest';

export const wideIt = (title: string, run: TestFunction, timeout?: number): void => {
  it(title, { tags: 'wide', ...(timeout === undefined ? {} : { timeout }) }, run);
};
