/**
 * Owns what the person who made a relay is told when it had to be paused: what happened, what goes on all the same, what to
 * do. Pure.
 */
import type { Relay } from '../../relay/index.js';
import { type Message, message } from './kit.js';
import { channelElement, relayName } from './relay-words.js';
import { bold, escaped, richText, textElement } from './text.js';

const whatToDo: Readonly<Record<NonNullable<Relay['paused']>['why'], string>> = {
  channel_gone:
    'Scandesk can no longer post there: it was removed from the channel, or the channel was archived. Invite it again, or choose another channel with /scandesk relay, then press Resume.',
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
      textElement(' is paused and posts nothing in '),
      channelElement(relay.channel),
      textElement('.'),
      textElement(`\n${whatToDo[relay.paused?.why ?? 'channel_gone']}`),
      textElement('\nScans are still stored and answered; what waits is posted once it goes on.'),
    ]),
  ]);
}
