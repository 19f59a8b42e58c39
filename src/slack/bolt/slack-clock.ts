/**
 * Slack's time, by which it files messages: our own clock may be wrong or be set while we run.
 * Read from the Date header of Slack's answers, and advanced by a monotonic clock.
 */
import { type Clock, steadyNow } from '../../clock.js';

export function createSlackClock(clock: Clock) {
  let stamp: { readonly at: number; readonly receivedAt: number } | undefined;
  return {
    /** @param date an answer's Date header; an invalid date is ignored */
    hear(date: string | null): void {
      const at = Date.parse(date ?? '');
      if (!Number.isNaN(at)) {
        stamp = { at, receivedAt: steadyNow(clock) };
      }
    },
    /**
     * Whole milliseconds since the epoch, accurate to a second, as a PostgreSQL integer takes no fractions; undefined
     * until Slack has answered once.
     */
    now: (): number | undefined => stamp && Math.floor(stamp.at + (steadyNow(clock) - stamp.receivedAt)),
  };
}

export type SlackClock = ReturnType<typeof createSlackClock>;
