/** Publisher calls with a timeout: a call that times out or throws resolves to a fallback. */
import type { Clock } from '../clock.js';
import { codeOf } from '../errors.js';
import type { Log } from '../log.js';
import { withTimeout } from '../timeout.js';

export type BoundedCall = <T>(work: (signal: AbortSignal) => Promise<T>, fallback: T) => Promise<T>;

export function createBoundedCall({ clock, log, ms }: { clock: Clock; log: Log; ms: number }): BoundedCall {
  return (work, fallback) => {
    const answer = (signal: AbortSignal) =>
      work(signal).catch((error: unknown) => {
        log.error({ err: error, code: codeOf(error) }, 'the publisher threw: every failure should be an outcome');
        return fallback;
      });
    return withTimeout(clock, ms, answer, fallback);
  };
}
