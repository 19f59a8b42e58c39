/**
 * Owns what time it is at Slack, which files messages by it: our own clock may be wrong, or be set while we run. Told by the
 * Date of Slack's answers, and carried on by a clock that nobody sets.
 */
import type { Clock } from '../../clock.js';

export interface SlackClock {
  /** @param date an answer's Date header; anything that is no date tells nothing. */
  hear(date: string | null): void;
  /** Whole milliseconds since the epoch, right to the second; undefined until Slack has answered once. */
  now(): number | undefined;
}

export function createSlackClock(clock: Clock): SlackClock {
  const passing = (): number => clock.steady?.() ?? clock.now();
  let told: { readonly at: number; readonly heardAt: number } | undefined;
  return {
    hear(date) {
      const at = Date.parse(date ?? '');
      if (!Number.isNaN(at)) {
        told = { at, heardAt: passing() };
      }
    },
    // The steady clock counts parts of milliseconds, which PostgreSQL takes for no integer.
    now: () => told && Math.floor(told.at + (passing() - told.heardAt)),
  };
}
