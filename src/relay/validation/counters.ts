/** Counters that validation needs. */

import type { RelaySettings } from '../relays/settings.js';
import type { Counting } from '../scans/counters.js';
import { placeholdersOf } from './answer.js';

/** Moments are stored only for a limit within a time, as many as it allows. */
export function countingForValidation(settings: RelaySettings): Counting {
  const { duplicates, atMost } = settings;
  const places = placeholdersOf(settings);
  const last = atMost?.withinMinutes === undefined ? {} : { last: atMost.n };
  return {
    ...(duplicates || places.has('count') || places.has('time') ? { value: {} } : {}),
    ...(atMost ? { [atMost.of]: last } : {}),
  };
}
