/** A clock that runs faster than the machine's, for tests over real HTTP that last for minutes. */
import { type Clock, systemClock } from '../../src/clock.js';

export function createFastClock(speed: number): Clock {
  const began = Date.now();
  const now = () => Math.floor(began + (Date.now() - began) * speed);
  return { now, steady: now, sleep: (ms, signal) => systemClock.sleep(ms / speed, signal) };
}
