/** The error code of what a function throws, which is what callers branch on. */
import { codeOf } from '../../src/errors.js';

/** Undefined when nothing was thrown. */
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
