/**
 * The faults that a test put in: one that nothing ran into fails the test, which would otherwise pass without testing
 * anything. Runs as a setup file, so that its check comes after each file's own hooks.
 */
import { isDeepStrictEqual } from 'node:util';
import { afterEach } from 'vitest';

/** The faults of a source that nothing ran into so far, in words. */
type Problems = () => readonly string[] | Promise<readonly string[]>;

const armed = new Map<object, Problems>();
const found: string[] = [];

/** Registers a check for the end of the test, or for `settle`. A source has one check at a time. */
export function arm(source: object, problems: Problems): void {
  armed.set(source, problems);
}

/** Checks a source whose faults are about to be replaced or removed. */
export async function settle(source: object): Promise<void> {
  const problems = armed.get(source);
  armed.delete(source);
  found.push(...((await problems?.()) ?? []));
}

/** The counted faults of which none was played. */
export function untouched(put: readonly object[], left: readonly object[]): string[] {
  return put
    .filter((fault) => left.some((one) => isDeepStrictEqual(one, fault)))
    .map((fault) => `no call ran into ${JSON.stringify(fault)}`);
}

afterEach(async () => {
  for (const source of armed.keys()) {
    await settle(source);
  }
  const all = found.splice(0);
  if (all.length > 0) {
    throw new Error(`the faults of this test: ${all.join(', ')}`);
  }
});
