/** What Slack would refuse of a message or a view, by the simulated workspace's own checks. */
import { systemRandom } from '../../src/clock.js';
import { checkView } from '../../src/sandbox/slack/blocks/check.js';
import type { Core } from '../../src/sandbox/slack/core.js';
import { SlackRefusal } from '../../src/sandbox/slack/refusal.js';
import { type GivenContent, judgeContent } from '../../src/sandbox/slack/web/content.js';

const core = { random: systemRandom } as Core;

/** The most characters of a text that replaces a message's text; the text of a new message may be longer. */
const longestUpdate = 4_000;

/** Why Slack refuses the message, new or in place of another; undefined where Slack takes it. */
export function refusedMessage(message: GivenContent): string | undefined {
  try {
    judgeContent(core, 'T1', message);
    return (message.text?.length ?? 0) > longestUpdate ? 'msg_too_long' : undefined;
  } catch (error) {
    if (error instanceof SlackRefusal) {
      return `${error.error} ${JSON.stringify(error.details).slice(0, 500)}`;
    }
    throw error;
  }
}

export function refusedView(view: object): string | undefined {
  const size = Buffer.byteLength(JSON.stringify(view));
  if (size > 250_000) {
    return `view_too_large: ${size}`;
  }
  const checked = checkView(view, systemRandom);
  return checked.ok ? undefined : checked.faults.join('\n').slice(0, 500);
}

const hostilePieces: readonly string[] = [
  ...['<!channel>', '<@U1|x>', '<https://x.example|y>', '*b*_i_~s~`c`', '&lt;&amp;', ':100: 👩‍👩‍👧 \u{1F600}'],
  ...['\u202e\u2066\u200f', '\u0007\u001d\u007f', '\ud800', 'a\r\nb\u2028c', '\u00a0 ', '{value}', '"\\\''],
];

/** 10,000 characters of one piece each, the hostile pieces joined, 80 times and once, and the empty text. */
export const hostileTexts: readonly string[] = [
  ...['x', '<', '&', '`', '\u202e', '𝒳', '🎫', ' ', '\n', 'name ', '\ud800'].map((piece) =>
    piece.repeat(Math.ceil(10_000 / piece.length)),
  ),
  hostilePieces.join('').repeat(80),
  hostilePieces.join(''),
  '',
];
