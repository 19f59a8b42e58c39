/** How far a test searches: short in the suite, long in the long runs, which run each file that asks once more. */
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly isLong: boolean;
  }
}

/** The part of the long runs' repetitions that is played: LONG_SHARE, above 0; `.ci/run` plays a fifth, for its time. */
const longShare = Number(process.env.LONG_SHARE ?? 1);

/** How many of `repetitions` a long run plays: histories, kills, sizes. */
export const shareOf = (repetitions: number): number => Math.max(1, Math.ceil(repetitions * longShare));

/** An amount of the long runs is their share of it, and never less than the suite's. */
export function effort<Amount>({ short, long }: { readonly short: Amount; readonly long: Amount }): Amount {
  if (!inject('isLong')) {
    return short;
  }
  return typeof short === 'number' && typeof long === 'number' ? (Math.max(short, shareOf(long)) as Amount) : long;
}
