/** The answer to `/scandesk limits`: calls left, and when they reset. Pure. */
import type { CallCounter, CallsLeft } from '../../codereadr/types.js';
import { type Message, message, type RichTextElement } from '../block-kit/elements.js';
import { bold, momentAfter, richText, textElement } from '../block-kit/text.js';

/** `usedUp`: the account could not be asked, so the counters are the last known ones. */
export function limitsMessage({ minute, day }: CallsLeft, usedUp = false): Message {
  const lines = [line('This minute', minute, 'at {time_secs}'), line('Today', day, '{date_short_pretty} at {time}')];
  return message('API calls left for the whole account', [
    richText(
      [bold('API calls left for the whole account')],
      ...lines,
      ...(usedUp ? [[textElement('No API calls are left, so these are the last known numbers.')]] : []),
    ),
  ]);
}

function line(when: string, counter: CallCounter, format: string): RichTextElement[] {
  const { left, limit, resetsAt } = counter;
  if (left === undefined) {
    return [textElement(`${when}: not reported by the account.`)];
  }
  if (left === Number.POSITIVE_INFINITY) {
    return [textElement(`${when}: unlimited.`)];
  }
  const of = limit === undefined || limit === Number.POSITIVE_INFINITY ? '' : ` of ${figure(limit)}`;
  return [
    textElement(`${when}: `),
    bold(`${figure(Math.max(0, left))}${of}`),
    textElement('; '),
    momentAfter('resets ', resetsAt, format),
    textElement('.'),
  ];
}

function figure(count: number): string {
  return count.toLocaleString('en-US');
}
