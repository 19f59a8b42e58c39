/** The call counters in JSON form: no Infinity, so an unlimited counter has no limit. Pure. */
import type { CallCounter, CallsLeft } from '../codereadr/types.js';
import type { RemainingCalls } from './types.js';

export function callsLeftNow({ minute, day }: CallsLeft): RemainingCalls {
  return { minute: limited(minute), day: limited(day) };
}

function limited({ left, limit, resetsAt }: CallCounter): RemainingCalls['minute'] {
  const finite = (calls: number | undefined) => (Number.isFinite(calls) ? calls : undefined);
  return { left: finite(left), limit: finite(limit), resetsAt };
}
