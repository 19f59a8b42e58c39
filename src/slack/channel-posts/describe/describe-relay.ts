/** A relay as text: what it posts, its status, and why it is paused. Pure. */
import { countOf } from '../../../english.js';
import type { RelayReport } from '../../../relay/index.js';
import type { Notable, Relay, RelayState } from '../../../relay/relays/types.js';
import type { RichTextElement } from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import { bold, momentAfter, person, textElement } from '../../block-kit/text.js';

export const notableLabels: Readonly<Record<Notable, string>> = {
  all: 'Every scan',
  invalid: 'Only scans that are not valid',
};

const pauses: Readonly<Record<NonNullable<Relay['paused']>['why'], string>> = {
  person: 'Paused',
  channel_gone: 'Paused: Scandesk can’t post in a channel',
  token_revoked: 'Paused: Slack revoked Scandesk’s access',
  uninstalled: 'Paused: Scandesk was uninstalled',
};

export function relayName(relay: Relay): string {
  return shortName(relay.serviceName, 75);
}

export function channelElement(channel: string): RichTextElement {
  return { type: 'channel', channel_id: channel };
}

const mostChannels = 3;

/** `#door, #office and 2 more`. */
export function channelElements(channels: readonly string[]): RichTextElement[] {
  const more = channels.length - mostChannels;
  return [
    ...channels
      .slice(0, mostChannels)
      .flatMap((channel, at) => [...(at > 0 ? [textElement(', ')] : []), channelElement(channel)]),
    ...(more > 0 ? [textElement(` and ${more} more`)] : []),
  ];
}

/** Its channels under the current settings. */
export function channelsOf({ channel, settings: { rules } }: Pick<Relay, 'channel' | 'settings'>): readonly string[] {
  return rules.length === 0 ? [channel] : [...new Set(rules.filter(({ on }) => on).map((rule) => rule.channel))];
}

/**
 * What it posts: `Main gate → #door · Every scan`; with rules, where they post: `Main gate → #door, #office · 3 rules`.
 */
export function relayLine(relay: Relay): RichTextElement[] {
  const { rules } = relay.settings;
  const on = rules.filter((rule) => rule.on);
  const where = channelElements(channelsOf(relay));
  const what = rules.length === 0 ? notableLabels[relay.notable] : countOf(on.length, 'rule');
  return [
    bold(relayName(relay)),
    textElement(' → '),
    ...(where.length > 0 ? where : [textElement('no channel')]),
    textElement(` · ${what}`),
  ];
}

/** `gone`: the channels that keep it paused, where known. */
function pausedElements({ why, at }: NonNullable<Relay['paused']>, gone: readonly string[]): RichTextElement[] {
  return [
    ...(why === 'channel_gone' && gone.length > 0
      ? [bold('⏸ Paused: Scandesk can’t post in '), ...channelElements(gone)]
      : [bold(`⏸ ${pauses[why]}`)]),
    momentAfter(', ', at),
  ];
}

/** Status: working or paused, pending posts, dead letters, the last scan. */
export function stateLine(
  { relay, pending, dead, scans, lastScanAt }: RelayState,
  gone: readonly string[] = [],
): RichTextElement[] {
  const posts = [
    ...(pending > 0 ? [`${countOf(pending, 'post')} pending`] : []),
    ...(dead > 0 ? [`${countOf(dead, 'post')} not delivered`] : []),
  ];
  return [
    ...(relay.paused ? pausedElements(relay.paused, gone) : [textElement(dead > 0 ? '⚠️ Active' : '✅ Active')]),
    textElement(` · ${scans === 0 ? 'no scans yet' : countOf(scans, 'scan')}`),
    ...(lastScanAt === undefined ? [] : [momentAfter(', last ', lastScanAt)]),
    ...posts.map((text) => textElement(` · ${text}`)),
  ];
}

type Failing = RelayReport['failing'][number];

/**
 * What still works while it is paused, and whose move it is. `gone`: the channels that keep it paused, with their
 * errors.
 */
export function pausedLine(relay: Relay, gone: readonly Failing[]): string {
  const goesOn = 'While it’s paused, scans are still received and answered. Posts wait until you resume it.';
  return [...helpLines(relay, gone), goesOn].join(' ');
}

function helpLines(relay: Relay, gone: readonly Failing[]): readonly string[] {
  switch (relay.paused?.why) {
    case 'channel_gone':
      return gone.length === 0
        ? ['Pending posts will be sent to the relay’s new channels. Press Resume.']
        : [...gone.slice(0, mostChannels).map((one) => goneLine(relay, one)), 'Then press Resume.'];
    case 'token_revoked':
      return ['Ask an admin to reinstall Scandesk, then press Resume.'];
    case 'uninstalled':
      return ['Scandesk is installed again. Press Resume.'];
    default:
      return [];
  }
}

/** `#door is archived, and 9 rules post there. Choose another channel in those rules.` */
function goneLine(relay: Relay, { channel, code }: Failing): string {
  const { rules } = relay.settings;
  const [what, again] = describeChannelGone(code, `<#${channel}>`);
  if (!channelsOf(relay).includes(channel)) {
    return `${what}. Nothing new is posted there.`;
  }
  if (rules.length === 0) {
    return `${what}. ${again} another channel with Edit.`;
  }
  const posting = rules.filter((rule) => rule.on && rule.channel === channel).length;
  return posting === 1
    ? `${what}, and 1 rule posts there. ${again} another channel in that rule.`
    : `${what}, and ${countOf(posting, 'rule')} post there. ${again} another channel in those rules.`;
}

/** Slack reports a private channel as missing to anyone who is not in it. */
function describeChannelGone(code: string, channel: string): readonly [what: string, again: string] {
  if (code === 'slack.is_archived') {
    return [`${channel} is archived`, 'Choose'];
  }
  return code.startsWith('slack.restricted_action')
    ? [`${channel} doesn’t let Scandesk post`, 'Allow it, or choose']
    : [`Scandesk was removed from ${channel}, or the channel was archived`, 'Invite it again, or choose'];
}

export function createdLine(relay: Relay): RichTextElement[] {
  return [textElement('Created by '), person(relay.createdBy), momentAfter(', ', relay.createdAt)];
}
