/** The direct messages about a paused relay, a blocked channel, refused scans, and posts or an escalation not delivered. Pure. */
import { countOf } from '../../../english.js';
import type { BlockedQueue } from '../../../posts/outbox/blocked-queues.js';
import type { Post, RefusedReason, Relay, RelayNotice, UndeliveredPosts } from '../../../relay/index.js';
import { type Message, message } from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import { bold, code, escaped, type LinePart, richText } from '../../block-kit/text.js';
import { describeSpan } from '../describe/describe-incident.js';
import { refusedCount, refusedLines } from '../describe/describe-refusals.js';
import { blockReason, channelElements, relayName } from '../describe/describe-relay.js';
import { describeReason } from '../describe/describe-state.js';

const whatToDo: Readonly<Record<NonNullable<Relay['paused']>['why'], string>> = {
  token_revoked:
    'Slack revoked Scandesk’s access. Ask an admin to reinstall Scandesk, then press Resume in /scandesk relay.',
  person: 'To continue, press Resume in /scandesk relay.',
  uninstalled: 'Scandesk was uninstalled. Reinstall it, then press Resume in /scandesk relay.',
};

/** The notice of a paused relay: what happened, what still works, what to do. */
export function relayPaused(relay: Relay): Message {
  const name = relayName(relay);
  return message(`⏸ The relay ${escaped(name)} is paused`, [
    richText([
      bold(`⏸ ${name}`),
      ` is paused.\n${whatToDo[relay.paused?.why ?? 'person']}`,
      '\nScans are still received and answered. Pending posts are sent when you resume the relay.',
    ]),
  ]);
}

/** The notice of a blocked channel: the waiting relays, the reason, the remedy, the fate of the posts. */
export function channelBlocked({ channel, code: why }: BlockedQueue, relays: readonly Relay[]): Message {
  const { what, remedy } = blockReason(channel, why);
  const names = listOf(relays.map((relay) => relayName(relay)));
  return message('⚠️ Scandesk can’t post in a channel', [
    richText(
      [bold('⚠️ Scandesk can’t post in '), ...channelElements([channel])],
      [...what, `. Posts of ${names} for it wait in order; everything else goes on.`],
      [
        `${remedy}, or choose another channel in `,
        code('/scandesk relay'),
        '. Scandesk tries again by itself, at least every 30 minutes; Try again there does it at once.',
      ],
      'After a day, a waiting post is marked as not delivered; Retry then sends it.',
    ),
  ]);
}

/** The notice of a device with a wrong clock: which device, what Scandesk does, what to do. */
export function wrongClock(
  { device, offsetMs, relay }: Extract<RelayNotice, { readonly what: 'wrong_clock' }>,
  name: string | undefined,
): Message {
  return message('🕑 The clock of a device is wrong', [
    richText(
      [bold(`🕑 ${clockText(device, name, offsetMs)}.`), ` It scans for ${relayName(relay)}.`],
      'Set the clock of the device to its network’s time. Until then Scandesk corrects the times of its scans.',
    ),
  ]);
}

/** `The clock of Phone 7 is 2 h slow`. */
export function clockText(device: string, name: string | undefined, offsetMs: number): string {
  const known = name === undefined ? `the unnamed device ${shortName(device)}` : shortName(name);
  return `The clock of ${known} is ${describeSpan(Math.abs(offsetMs))} ${offsetMs > 0 ? 'slow' : 'fast'}`;
}

/** The most names in a notice. */
const mostNames = 3;

function listOf(names: readonly string[]): string {
  const hiddenCount = names.length - mostNames;
  return `${names.slice(0, mostNames).join(', ')}${hiddenCount > 0 ? ` and ${countOf(hiddenCount, 'more relay')}` : ''}`;
}

/** The most reasons in a notice. */
const mostReasons = 5;

/** The notice of posts that were not delivered: how many, why, what to do. */
export function relayUndelivered(relay: Relay, posts: readonly UndeliveredPosts[]): Message {
  const name = relayName(relay);
  const postsText = countOf(
    posts.reduce((sum, each) => sum + each.posts, 0),
    'post',
  );
  const reasons = posts
    .slice(0, mostReasons)
    .map((each): LinePart[] => [`${countOf(each.posts, 'post')}: ${describeReason(each.code)}`]);
  return message(`⚠️ ${escaped(name)}: ${postsText} not delivered`, [
    richText(
      [bold(`⚠️ ${name}`), `: ${postsText} could not be delivered.`],
      ...reasons,
      ...(posts.length > mostReasons ? ['and other reasons'] : []),
      [
        'The scans are stored. When the problem is fixed, open the relay in ',
        code('/scandesk relay'),
        ' and press Retry.',
      ],
    ),
  ]);
}

/** The notice of scans that a relay refuses: how many, why, from where, what to do. */
export function relayRefuses(relay: Relay, refused: readonly RefusedReason[]): Message {
  const name = relayName(relay);
  return message(`⚠️ ${escaped(name)}: ${refusedCount(refused)}`, [
    richText([bold(`⚠️ ${name}`), ' refuses scans.'], ...refusedLines(refused), [
      'Open the relay in ',
      code('/scandesk relay'),
      ' to see whether it goes on.',
    ]),
  ]);
}

/** The escalation as it would have been posted, below the reason why it is a direct message. */
export function escalationUndelivered({ channel }: Pick<Post, 'channel'>, { text, blocks }: Message): Message {
  return message(text, [
    richText([
      'Scandesk couldn’t post this in ',
      ...channelElements([channel]),
      ', so you get it directly. Invite it to the channel again or choose another one with ',
      code('/scandesk relay'),
      '.',
    ]),
    ...blocks,
  ]);
}
