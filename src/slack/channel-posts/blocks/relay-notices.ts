/** The direct messages about a relay: it is paused, posts or an escalation were not delivered. Pure. */
import { countOf } from '../../../english.js';
import type { UndeliveredPosts } from '../../../relay/delivery/outbox/undelivered-notices.js';
import type { Post, Relay } from '../../../relay/index.js';
import { type Message, message, type RichTextElement } from '../../block-kit/elements.js';
import { bold, code, escaped, richText, textElement } from '../../block-kit/text.js';
import { channelElements, channelsOf, relayName } from '../describe/describe-relay.js';
import { describeReason } from '../describe/describe-state.js';

const whatToDo: Readonly<Record<NonNullable<Relay['paused']>['why'], string>> = {
  channel_gone:
    'It was removed from the channel, or the channel was archived. Invite it again or choose another channel with /scandesk relay, then press Resume there.',
  token_revoked:
    'Slack revoked Scandesk’s access. Ask an admin to reinstall Scandesk, then press Resume in /scandesk relay.',
  person: 'To continue, press Resume in /scandesk relay.',
  uninstalled: 'Scandesk was uninstalled. Reinstall it, then press Resume in /scandesk relay.',
};

/** What happened, what still works, what to do. */
export function relayPaused(relay: Relay): Message {
  const name = relayName(relay);
  return message(`⏸ The relay ${escaped(name)} is paused`, [
    richText([
      bold(`⏸ ${name}`),
      textElement(' is paused'),
      ...whereElements(relay),
      textElement(`\n${whatToDo[relay.paused?.why ?? 'channel_gone']}`),
      textElement('\nScans are still received and answered. Pending posts are sent when you resume the relay.'),
    ]),
  ]);
}

/** Its rules may post in several channels, of which one is gone. */
function whereElements(relay: Relay): RichTextElement[] {
  const channels = channelsOf(relay);
  if (relay.paused?.why !== 'channel_gone' || channels.length === 0) {
    return [textElement('.')];
  }
  return channels.length === 1
    ? [textElement(': Scandesk can’t post in '), ...channelElements(channels), textElement('.')]
    : [textElement(': Scandesk can’t post in one of its channels, '), ...channelElements(channels), textElement('.')];
}

/** Nobody reads more reasons than these. */
const mostReasons = 5;

/** How many, why, what to do. */
export function relayUndelivered(relay: Relay, posts: readonly UndeliveredPosts[]): Message {
  const name = relayName(relay);
  const many = countOf(
    posts.reduce((sum, each) => sum + each.posts, 0),
    'post',
  );
  const reasons = posts
    .slice(0, mostReasons)
    .map((each): RichTextElement[] => [textElement(`${countOf(each.posts, 'post')}: ${describeReason(each.code)}`)]);
  return message(`⚠️ ${escaped(name)}: ${many} not delivered`, [
    richText(
      [bold(`⚠️ ${name}`), textElement(`: ${many} could not be delivered.`)],
      ...reasons,
      ...(posts.length > mostReasons ? [[textElement('and other reasons')]] : []),
      [
        textElement('The scans are stored. When the problem is fixed, open the relay in '),
        code('/scandesk relay'),
        textElement(' and press Retry.'),
      ],
    ),
  ]);
}

/** The escalation as it would have been posted, under why it comes by direct message. */
export function escalationUndelivered({ channel }: Pick<Post, 'channel'>, { text, blocks }: Message): Message {
  return message(text, [
    richText([
      textElement('Scandesk couldn’t post this in '),
      ...channelElements([channel]),
      textElement(', so you get it directly. Invite it to the channel again or choose another one with '),
      code('/scandesk relay'),
      textElement('.'),
    ]),
    ...blocks,
  ]);
}
