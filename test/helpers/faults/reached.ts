/**
 * The faults that a test put in: one that nothing ran into fails the test, which would otherwise pass without testing
 * anything. Runs as a setup file, so that its check comes after each file's own hooks.
 */
import { isDeepStrictEqual } from 'node:util';
import { afterEach } from 'vitest';

/** Names the faults that nothing ran into so far. */
type Unreached = () => readonly string[] | Promise<readonly string[]>;

const armed = new Map<object, Unreached>();
const missed: string[] = [];

/** Checked at the end of the test, or by `settle`. A source has one check at a time. */
export function arm(source: object, unreached: Unreached): void {
  armed.set(source, unreached);
}

/** Checks a source whose faults are about to be replaced or to go. */
export async function settle(source: object): Promise<void> {
  const unreached = armed.get(source);
  armed.delete(source);
  missed.push(...((await unreached?.()) ?? []));
}

/** What is left of counted faults: those with none played. */
export function untouched(put: readonly object[], left: readonly object[]): string[] {
  return put.filter((fault) => left.some((one) => isDeepStrictEqual(one, fault))).map((fault) => JSON.stringify(fault));
}

afterEach(async () => {
  for (const source of armed.keys()) {
    await settle(source);
  }
  const names = missed.splice(0);
  if (names.length > 0) {
    throw new Error(`no call ran into the fault: ${names.join(', ')}`);
  }
});
