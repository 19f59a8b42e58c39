/** The warning that the account's calls run out, and when to show it. Pure. */
import { plural } from '../../english.js';
import type { RemainingCalls } from '../../lookup/index.js';
import { mrkdwnMomentAfter } from '../block-kit/text.js';

/** Below these the warning is shown, whatever a call costs. */
const fewInAMinute = 5;
const fewInADay = 50;

/** As mrkdwn; undefined while plenty are left. `cost`: the calls that the same lookup would take again. */
export function callsLeftLine({ minute, day }: RemainingCalls, cost: number): string | undefined {
  if (day.left !== undefined && day.left <= Math.max(fewInADay, cost)) {
    return `${left(day.left, day.limit)} today; ${mrkdwnMomentAfter('resets ', day.resetsAt, '{date_short_pretty} at {time}')}.`;
  }
  if (minute.left !== undefined && minute.left <= Math.max(fewInAMinute, cost)) {
    return `${left(minute.left, minute.limit)} this minute; ${mrkdwnMomentAfter('resets at ', minute.resetsAt, '{time_secs}')}.`;
  }
  return undefined;
}

function left(calls: number, limit: number | undefined): string {
  const of = limit === undefined ? '' : ` of ${limit.toLocaleString('en-US')}`;
  return `${Math.max(0, calls).toLocaleString('en-US')}${of} API ${of ? 'calls' : plural(calls, 'call')} left for the whole account`;
}
