/**
 * The direct message to a relay's creator when Scandesk pauses the relay: what happened, what still works, what to do.
 * Pure.
 */
import type { Relay } from '../../../relay/index.js';
import { type Message, message, type RichTextElement } from '../../block-kit/elements.js';
import { bold, escaped, richText, textElement } from '../../block-kit/text.js';
import { channelElements, channelsOf, relayName } from '../describe/describe-relay.js';

const whatToDo: Readonly<Record<NonNullable<Relay['paused']>['why'], string>> = {
  channel_gone:
    'It was removed from the channel, or the channel was archived. Invite it again or choose another channel with /scandesk relay, then press Resume there.',
  token_revoked:
    'Slack revoked Scandesk’s access. Ask an admin to reinstall Scandesk, then press Resume in /scandesk relay.',
  person: 'To continue, press Resume in /scandesk relay.',
  uninstalled: 'Scandesk was uninstalled. Reinstall it, then press Resume in /scandesk relay.',
};

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
