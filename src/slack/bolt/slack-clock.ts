/**
 * The clock of Slack's time, which messages carry: Scandesk's own clock may be wrong. The time is read from the Date
 * header of Slack's answers, and advanced by a monotonic clock.
 */
import { type Clock, steadyNow } from '../../clock.js';

export function createSlackClock(clock: Clock) {
  let stamp: { readonly at: number; readonly receivedAt: number } | undefined;
  return {
    /** @param date an answer's Date header; an invalid date is ignored */
    setFrom(date: string | null): void {
      const at = Date.parse(date ?? '');
      if (!Number.isNaN(at)) {
        stamp = { at, receivedAt: steadyNow(clock) };
      }
    },
    /**
     * Slack's time in milliseconds since the epoch, accurate to a second; whole, for a PostgreSQL integer; undefined
     * until Slack has answered once.
     */
    now: (): number | undefined => stamp && Math.floor(stamp.at + (steadyNow(clock) - stamp.receivedAt)),
  };
}

export type SlackClock = ReturnType<typeof createSlackClock>;
