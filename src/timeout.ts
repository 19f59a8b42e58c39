/** Timeouts on the injected clock. The signal that the work gets is aborted at the timeout. */
import type { Clock } from './clock.js';

/** Settles as `work` does; after `ms` its signal is aborted with `reason`. */
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
    // A reason of its own costs a stack trace.
    doneSignal.abort('over');
  }
}

/** Settles as `work` does, or resolves to `late` after `ms`. */
export function withTimeout<Answer>(
  clock: Clock,
  ms: number,
  work: (signal: AbortSignal) => Promise<Answer>,
  late: Answer,
): Promise<Answer> {
  return abortAfter(clock, ms, undefined, (signal) => {
    const timeout = new Promise<Answer>((resolve) => signal.addEventListener('abort', () => resolve(late)));
    return Promise.race([work(signal), timeout]);
  });
}
