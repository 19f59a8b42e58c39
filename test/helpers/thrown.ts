/** The error code of what a function throws, which is what callers branch on. */
import { codeOf } from '../../src/errors.js';

/** The error code of what `work` throws; undefined if it throws nothing. */
export function codeThrown(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

export async function codeRejected(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}
