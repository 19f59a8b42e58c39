/** How far a test searches: short in the suite, long in the project `search`, which runs each file that asks once more. */
import { inject, it, type TestAPI } from 'vitest';
import { shareOf } from './long-share.js';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly isLong: boolean;
  }
}

/** An amount of the long runs is their share of it, and never less than the suite's. */
export function effort<Amount>({ short, long }: { readonly short: Amount; readonly long: Amount }): Amount {
  if (!inject('isLong')) {
    return short;
  }
  return typeof short === 'number' && typeof long === 'number' ? (Math.max(short, shareOf(long)) as Amount) : long;
}

/** `it`, for what the long runs alone hold: searches by chance whose promise another test of the suite holds too. */
export const longIt = (inject('isLong') ? it : () => undefined) as TestAPI;
