/** How far a test searches: short in the suite, long in the long runs, which run each file that asks once more. */
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly isLong: boolean;
  }
}

export function effort<Amount>({ short, long }: { readonly short: Amount; readonly long: Amount }): Amount {
  return inject('isLong') ? long : short;
}
