/** Timeout for every publisher call: a call that times out or throws resolves to the given fallback. */
import type { Clock } from '../../clock.js';
import { codeOf } from '../../errors.js';
import type { Log } from '../../log.js';

export type InTime = <Outcome>(work: (signal: AbortSignal) => Promise<Outcome>, late: Outcome) => Promise<Outcome>;

export function createInTime({ clock, log, ms }: { clock: Clock; log: Log; ms: number }): InTime {
  return async (work, late) => {
    const limit = new AbortController();
    const done = new AbortController();
    const timeout = clock.sleep(ms, done.signal).then(
      () => {
        limit.abort();
        return late;
      },
      () => late,
    );
    try {
      const answer = work(limit.signal).catch((error: unknown) => {
        log.error({ err: error, code: codeOf(error) }, 'the poster failed in a way it should not');
        return late;
      });
      return await Promise.race([answer, timeout]);
    } finally {
      done.abort();
    }
  };
}
