/** Timeouts on the injected clock. The signal that the work gets is aborted at the timeout. */
import type { Clock } from './clock.js';

/** Runs `work` and settles as it does; after `ms` the signal is aborted with `reason`. */
export async function abortAfter<Answer>(
  clock: Clock,
  ms: number,
  reason: unknown,
  work: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const timeLimit = new AbortController();
  const doneSignal = new AbortController();
  clock.sleep(ms, doneSignal.signal).then(
    () => timeLimit.abort(reason),
    () => undefined,
  );
  try {
    return await work(timeLimit.signal);
  } finally {
    // The signal of finished work is aborted with a text: an Error as reason costs a stack trace.
    doneSignal.abort('over');
  }
}

/** Runs `work` and settles as it does, or resolves to `lateAnswer` after `ms`. */
export function withTimeout<Answer>(
  clock: Clock,
  ms: number,
  work: (signal: AbortSignal) => Promise<Answer>,
  lateAnswer: Answer,
): Promise<Answer> {
  return abortAfter(clock, ms, undefined, (signal) => {
    const timeout = new Promise<Answer>((resolve) => signal.addEventListener('abort', () => resolve(lateAnswer)));
    return Promise.race([work(signal), timeout]);
  });
}
