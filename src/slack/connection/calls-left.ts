/** Owns when it is worth a word that the account's calls run out, and the word. Pure. */
import type { DeskCallsLeft } from '../../lookup/index.js';
import { momentSaidAfter } from '../block-kit/text.js';

/** So few calls are few, whatever they are for. */
const fewInAMinute = 5;
const fewInADay = 50;

/** Mrkdwn; undefined while there are plenty. `cost`: how many calls the same question would take again. */
export function callsLeftLine({ minute, day }: DeskCallsLeft, cost: number): string | undefined {
  if (day.left !== undefined && day.left <= Math.max(fewInADay, cost)) {
    return `${left(day.left, day.limit)} today; ${momentSaidAfter('new ones ', day.resetsAt, '{date_short_pretty} at {time}')}.`;
  }
  if (minute.left !== undefined && minute.left <= Math.max(fewInAMinute, cost)) {
    return `${left(minute.left, minute.limit)} this minute; ${momentSaidAfter('new ones at ', minute.resetsAt, '{time_secs}')}.`;
  }
  return undefined;
}

function left(calls: number, limit: number | undefined): string {
  const of = limit === undefined ? '' : ` of ${limit.toLocaleString('en-US')}`;
  return `${Math.max(0, calls).toLocaleString('en-US')}${of} ${calls === 1 && !of ? 'call' : 'calls'} left for the whole account`;
}
