/**
 * Slack's time, by which it files messages: our own clock may be wrong or be set while we run.
 * Read from the Date header of Slack's answers, and advanced by a monotonic clock.
 */
import type { Clock } from '../../clock.js';

export function createSlackClock(clock: Clock) {
  const steadyNow = (): number => clock.steady?.() ?? clock.now();
  let last: { readonly at: number; readonly receivedAt: number } | undefined;
  return {
    /** @param date an answer's Date header; an invalid date is ignored */
    hear(date: string | null): void {
      const at = Date.parse(date ?? '');
      if (!Number.isNaN(at)) {
        last = { at, receivedAt: steadyNow() };
      }
    },
    // The monotonic clock has fractions of milliseconds, which a PostgreSQL integer does not take.
    /** Whole milliseconds since the epoch, accurate to a second; undefined until Slack has answered once. */
    now: (): number | undefined => last && Math.floor(last.at + (steadyNow() - last.receivedAt)),
  };
}

export type SlackClock = ReturnType<typeof createSlackClock>;
