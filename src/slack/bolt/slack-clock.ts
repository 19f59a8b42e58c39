/**
 * Slack's time, by which it files messages: our own clock may be wrong or be set while we run.
 * Read from the Date header of Slack's answers, and advanced by a monotonic clock.
 */
import type { Clock } from '../../clock.js';

export interface SlackClock {
  /** @param date an answer's Date header; an invalid date is ignored */
  hear(date: string | null): void;
  /** Whole milliseconds since the epoch, accurate to a second; undefined until Slack has answered once. */
  now(): number | undefined;
}

export function createSlackClock(clock: Clock): SlackClock {
  const steadyNow = (): number => clock.steady?.() ?? clock.now();
  let last: { readonly at: number; readonly receivedAt: number } | undefined;
  return {
    hear(date) {
      const at = Date.parse(date ?? '');
      if (!Number.isNaN(at)) {
        last = { at, receivedAt: steadyNow() };
      }
    },
    // The monotonic clock has fractions of milliseconds, which a PostgreSQL integer does not take.
    now: () => last && Math.floor(last.at + (steadyNow() - last.receivedAt)),
  };
}
