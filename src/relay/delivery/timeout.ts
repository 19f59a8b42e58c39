/** Timeout for a promise, with a fallback value. */
import type { Clock } from '../../clock.js';

/** The answer, or `late` if it does not come in time. */
export async function within<Answer>(clock: Clock, ms: number, answer: Promise<Answer>, late: Answer): Promise<Answer> {
  const done = new AbortController();
  const timeout = clock.sleep(ms, done.signal).then(
    () => late,
    () => late,
  );
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    done.abort();
  }
}
