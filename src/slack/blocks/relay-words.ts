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

/** What it does: `Main gate → #door · Every scan`. */
export function relayLine(relay: Relay): RichTextElement[] {
  return [
    bold(relayName(relay)),
    textElement(' → '),
    channelElement(relay.channel),
    textElement(` · ${notableWords[relay.notable]}`),
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
      : [textElement('✅ Working')]),
    textElement(` · ${scans === 0 ? 'no scan yet' : countOf(scans, 'scan')}`),
    ...(lastScanAt === undefined ? [] : [textElement(', the last '), momentElement(lastScanAt)]),
    ...posts.map((text) => textElement(` · ${text}`)),
  ];
}

export function madeLine(relay: Relay): RichTextElement[] {
  return [textElement('Made by '), person(relay.createdBy), textElement(', '), momentElement(relay.createdAt)];
}
