/**
 * First match among several databases in their order. If an earlier database is unknown, a later one cannot decide.
 * Pure.
 */
import type { Why } from '../../relays/relay.js';

/** What a database says of the value. */
export type Said =
  | { readonly kind: 'found'; readonly valid: boolean; readonly response: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly why: Why };

/** What its copy says. `unsure`: there is none that is whole, or it cannot tell of such a value. */
export type SaidByCopy = Exclude<Said, { kind: 'unknown' }> | { readonly kind: 'unsure' };

export interface Decided {
  readonly said: Exclude<Said, { kind: 'absent' }>;
  /** Which of them says it. */
  readonly at: number;
}

/**
 * Undefined: none of them has it. `ask` is called at once for each database that has to be asked itself: for all where no copy
 * has the value, since it may be new in any of them; else for those that can still overrule the copy that has it.
 */
export async function inOrder(
  copies: readonly SaidByCopy[],
  ask: (at: number) => Promise<Said>,
): Promise<Decided | undefined> {
  const holder = copies.findIndex(({ kind }) => kind === 'found');
  const speaking = holder === -1 ? copies : copies.slice(0, holder + 1);
  const saying = speaking.map((byCopy, at) =>
    byCopy.kind === 'unsure' || holder === -1 ? ask(at) : Promise.resolve(byCopy),
  );
  for (const [at, one] of saying.entries()) {
    const said = await one;
    if (said.kind !== 'absent') {
      return { said, at };
    }
  }
  return undefined;
}
