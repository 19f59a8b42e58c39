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
    'It was removed from the channel, or the channel was archived. Invite it again, or choose another channel with /scandesk relay, where it stands what posts there, then press Resume.',
  token_revoked:
    'Slack does not let Scandesk post any more. Ask an admin to install Scandesk again, then press Resume in /scandesk relay.',
  person: 'Press Resume in /scandesk relay when it shall go on.',
  uninstalled: 'Scandesk was uninstalled. Once it is installed again, press Resume in /scandesk relay.',
};

export function relayPaused(relay: Relay): Message {
  const name = relayName(relay);
  return message(`⏸ The relay ${escaped(name)} is paused`, [
    richText([
      bold(`⏸ ${name}`),
      textElement(' is paused and posts nothing'),
      ...whereElements(relay),
      textElement(`\n${whatToDo[relay.paused?.why ?? 'channel_gone']}`),
      textElement('\nScans are still stored and answered; what waits is posted once it goes on.'),
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
    ? [textElement(': Scandesk can no longer post in '), ...channelElements(channels), textElement('.')]
    : [
        textElement(': Scandesk can no longer post in one of its channels, '),
        ...channelElements(channels),
        textElement('.'),
      ];
}
