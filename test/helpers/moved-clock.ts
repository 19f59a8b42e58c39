/** A clock that is ahead of the machine's, and can be moved on. */
import { type Clock, systemClock } from '../../src/clock.js';

export interface MovedClock extends Clock {
  readonly aheadBy: number;
  move(byMs: number): void;
}

export function movedClock(aheadBy: number): MovedClock {
  let ahead = aheadBy;
  return {
    ...systemClock,
    now: () => systemClock.now() + ahead,
    get aheadBy() {
      return ahead;
    },
    move(byMs) {
      ahead += byMs;
    },
  };
}
