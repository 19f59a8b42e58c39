/** The call counters in JSON form: no Infinity, so an unlimited counter has no limit. Pure. */
import type { CallCounter, CallsLeft } from '../codereadr/types.js';
import type { RemainingCalls } from './types.js';

export function callsLeftNow({ minute, day }: CallsLeft): RemainingCalls {
  return { minute: finite(minute), day: finite(day) };
}

function finite({ left, limit, resetsAt }: CallCounter): RemainingCalls['minute'] {
  return {
    ...(left !== undefined && Number.isFinite(left) ? { left } : {}),
    ...(limit !== undefined && Number.isFinite(limit) ? { limit } : {}),
    resetsAt,
  };
}
