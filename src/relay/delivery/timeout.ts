/** Timeouts with a fallback value: for a promise, and for every publisher call. */
import type { Clock } from '../../clock.js';
import { codeOf } from '../../errors.js';
import type { Log } from '../../log.js';

/** The answer, or `late` if it does not come in time. */
export async function withTimeout<Answer>(
  clock: Clock,
  ms: number,
  answer: Promise<Answer>,
  late: Answer,
  onTimeout?: () => void,
): Promise<Answer> {
  const done = new AbortController();
  const timeout = clock.sleep(ms, done.signal).then(
    () => {
      onTimeout?.();
      return late;
    },
    () => late,
  );
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    done.abort();
  }
}

/** A call that times out is aborted; one that times out or throws resolves to `late`. */
export type BoundedCall = <Outcome>(work: (signal: AbortSignal) => Promise<Outcome>, late: Outcome) => Promise<Outcome>;

export function createBoundedCall({ clock, log, ms }: { clock: Clock; log: Log; ms: number }): BoundedCall {
  return async (work, late) => {
    const limit = new AbortController();
    const answer = work(limit.signal).catch((error: unknown) => {
      log.error({ err: error, code: codeOf(error) }, 'the publisher threw: every failure should be an outcome');
      return late;
    });
    return await withTimeout(clock, ms, answer, late, () => limit.abort());
  };
}
