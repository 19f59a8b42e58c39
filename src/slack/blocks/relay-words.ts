/** Owns how a relay is spoken of: what it posts, how it fares, why it is paused. Pure. */
import type { Notable, Relay, RelayState } from '../../relay/types.js';
import type { RichTextElement } from './kit.js';
import { bold, momentElement, person, textElement } from './text.js';
import { countOf, shortName } from './verdict.js';

export const notableWords: Readonly<Record<Notable, string>> = {
  all: 'Every scan',
  invalid: 'Invalid scans only',
};

const pauses: Readonly<Record<NonNullable<Relay['paused']>['why'], string>> = {
  person: 'Paused by a person',
  channel_gone: 'Paused: Scandesk can no longer post in its channel',
  token_revoked: 'Paused: Slack took Scandesk’s access away',
  uninstalled: 'Paused: Scandesk was uninstalled',
};

export function relayName(relay: Relay): string {
  return shortName(relay.serviceName, 75);
}

export function channelElement(channel: string): RichTextElement {
  return { type: 'channel', channel_id: channel };
}

const mostChannels = 3;

/** What it does: `Main gate → #door · Every scan`; with rules, where these post: `Main gate → #door, #office · 3 rules`. */
export function relayLine(relay: Relay): RichTextElement[] {
  const { rules } = relay.settings;
  const on = rules.filter((rule) => rule.on);
  const channels = rules.length === 0 ? [relay.channel] : [...new Set(on.map(({ channel }) => channel))];
  const more = channels.length - mostChannels;
  const where = channels
    .slice(0, mostChannels)
    .flatMap((channel, at) => [...(at > 0 ? [textElement(', ')] : []), channelElement(channel)]);
  const what = rules.length === 0 ? notableWords[relay.notable] : countOf(on.length, 'rule');
  return [
    bold(relayName(relay)),
    textElement(' → '),
    ...(where.length > 0 ? where : [textElement('nowhere')]),
    textElement(`${more > 0 ? ` and ${more} more` : ''} · ${what}`),
  ];
}

/** How it fares: working or paused, what waits, what was set aside, the last scan. */
export function stateLine({ relay, waiting, aside, scans, lastScanAt }: RelayState): RichTextElement[] {
  const posts = [
    ...(waiting > 0 ? [`${countOf(waiting, 'post')} waiting`] : []),
    ...(aside > 0 ? [`${countOf(aside, 'post')} set aside`] : []),
  ];
  return [
    ...(relay.paused
      ? [bold(`⏸ ${pauses[relay.paused.why]}`), textElement(', '), momentElement(relay.paused.at)]
      : [textElement(aside > 0 ? '⚠️ Working' : '✅ Working')]),
    textElement(` · ${scans === 0 ? 'no scan yet' : countOf(scans, 'scan')}`),
    ...(lastScanAt === undefined ? [] : [textElement(', the last '), momentElement(lastScanAt)]),
    ...posts.map((text) => textElement(` · ${text}`)),
  ];
}

const pauseHelp: Readonly<Record<NonNullable<Relay['paused']>['why'], string>> = {
  person: '',
  channel_gone:
    'Scandesk was removed from the channel, or it was archived. Invite Scandesk again, or choose another channel (in Change, or in the rule that posts there), then press Resume.',
  token_revoked: 'Ask an admin to install Scandesk again, then press Resume.',
  uninstalled: 'Scandesk is back: press Resume.',
};

/** What goes on while it is paused, and whose move it is. */
export function pausedLine({ why }: NonNullable<Relay['paused']>): string {
  const goesOn = 'While it is paused, scans are still taken and answered; their posts wait.';
  return [pauseHelp[why], goesOn].filter(Boolean).join(' ');
}

export function madeLine(relay: Relay): RichTextElement[] {
  return [textElement('Made by '), person(relay.createdBy), textElement(', '), momentElement(relay.createdAt)];
}
