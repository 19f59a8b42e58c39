/** A relay as text: what it posts, its status, and why it is paused or blocked. Pure. */
import { countOf } from '../../../english.js';
import { hasIncidents, type Rule } from '../../../relay/index.js';
import type { Notable, Relay, RelayState } from '../../../relay/relays/types.js';
import { shortName } from '../../block-kit/short-text.js';
import { bold, channelElement, joined, type LinePart, momentAfter, person } from '../../block-kit/text.js';
import { refusedCount } from './describe-refusals.js';

export const notableLabels: Readonly<Record<Notable, string>> = {
  all: 'Every scan',
  invalid: 'Only scans that are not valid',
};

type Posting = Pick<Relay, 'notable' | 'channel' | 'settings'>;

const pauses: Readonly<Record<NonNullable<Relay['paused']>['why'], string>> = {
  person: 'Paused',
  token_revoked: 'Paused: Slack revoked Scandesk’s access',
  uninstalled: 'Paused: Scandesk was uninstalled',
};

export function relayName(relay: Pick<Relay, 'serviceName'>): string {
  return shortName(relay.serviceName, 75);
}

const mostChannels = 3;

/** Channels in words: `#door, #office, #yard and 2 more`. */
export function channelElements(channels: readonly string[]): LinePart[] {
  const more = channels.length - mostChannels;
  return [
    ...joined(channels.slice(0, mostChannels).map(channelElement), ', '),
    ...(more > 0 ? [` and ${more} more`] : []),
  ];
}

/** The channels that the relay’s current rules post in; without rules, the relay’s own. */
export function channelsOf({ channel, settings: { rules } }: Pick<Relay, 'channel' | 'settings'>): readonly string[] {
  const posting = rules.filter(({ on, action }) => on && action === 'post');
  return rules.length === 0 ? [channel] : [...new Set(posting.map((rule) => rule.channel))];
}

/** The target of a relay's posts, and what is posted: `Main gate → #door · Every scan, 1 alert`. */
export function relayLine(relay: Relay): LinePart[] {
  return [...targetLine(relay), ` · ${postedText(relay)}`];
}

/**
 * What a relay posts: `Every scan`, `2 rules, 1 alert`. A rule that posts what a relay can post without rules is named and
 * not counted; of several, the one that posts the most.
 */
export function postedText({ notable, channel, settings: { rules } }: Posting): string {
  if (rules.length === 0) {
    return notableLabels[notable];
  }
  const active = rules.filter((rule) => rule.on);
  // Below a rule that stops, no rule posts every scan.
  const stopsAt = active.findIndex(({ action }) => action === 'stop');
  const keptLabels = active
    .slice(0, stopsAt < 0 ? undefined : stopsAt)
    .flatMap((rule) => keptLabel(rule, channel) ?? []);
  const kept = keptLabels.find((label) => label === notableLabels.all) ?? keptLabels[0];
  const alerts = active.filter(hasIncidents).length;
  const others = active.length - alerts - (kept === undefined ? 0 : 1);
  const parts = [
    ...(kept === undefined ? [] : [kept]),
    ...(others > 0 ? [countOf(others, 'rule')] : []),
    ...(alerts > 0 ? [countOf(alerts, 'alert')] : []),
  ];
  return parts.length === 0 ? countOf(0, 'rule') : parts.join(', ');
}

function keptLabel({ action, channel, when, unless }: Rule, relayChannel: string): string | undefined {
  const [only, ...others] = when;
  if (action !== 'post' || channel !== relayChannel || unless.length + others.length > 0) {
    return undefined;
  }
  return only?.kind === 'every'
    ? notableLabels.all
    : only?.kind === 'result' && only.is === 'invalid'
      ? 'Scans that are not valid'
      : undefined;
}

/** The target of a relay's posts; with rules, their channels: `Main gate → #door, #office`. */
export function targetLine(relay: Relay): LinePart[] {
  const channelNames = channelElements(channelsOf(relay));
  const isWorkflow = relay.settings.rules.some(({ on, action }) => on && action === 'workflow');
  return [
    bold(relayName(relay)),
    ' → ',
    ...(channelNames.length > 0 ? channelNames : [isWorkflow ? 'a workflow' : 'no channel']),
  ];
}

/** The relay's status: working, paused or blocked, the last scan, refused scans, pending posts, dead letters. */
export function stateLine({ relay, pending, dead, scans, lastScanAt, blocked, refused }: RelayState): LinePart[] {
  const counts = [
    ...(refused.length > 0 ? [refusedCount(refused)] : []),
    ...(pending > 0 ? [`${countOf(pending, 'post')} pending`] : []),
    ...(dead > 0 ? [`${countOf(dead, 'post')} not delivered`] : []),
  ];
  const { paused } = relay;
  const channelNames = channelElements(blocked.map(({ channel }) => channel));
  return [
    ...(paused ? [bold(`⏸ ${pauses[paused.why]}`), momentAfter(', ', paused.at)] : []),
    ...(channelNames.length > 0 ? [paused ? ' · ⚠️ ' : '⚠️ ', bold('Blocked in '), ...channelNames] : []),
    ...(paused || channelNames.length > 0 ? [] : [dead > 0 || refused.length > 0 ? '⚠️ Active' : '✅ Active']),
    ` · ${scans === 0 ? 'no scans yet' : countOf(scans, 'scan')}`,
    ...(lastScanAt === undefined ? [] : [momentAfter(', last ', lastScanAt)]),
    ...counts.map((text) => ` · ${text}`),
  ];
}

/** What goes on while the relay is paused, and what has to happen before it is resumed. */
export function pausedLine({ paused }: Relay): string {
  return `${paused ? whoseMove[paused.why] : ''}While it’s paused, scans are still received and answered. Posts wait until you resume it.`;
}

const whoseMove: Readonly<Record<NonNullable<Relay['paused']>['why'], string>> = {
  person: '',
  token_revoked: 'Ask an admin to reinstall Scandesk, then press Resume. ',
  uninstalled: 'Scandesk is installed again. Press Resume. ',
};

/** For each of the first three blocked channels, the reason and the remedy; then what becomes of the waiting posts. */
export function blockedLines({ relay, blocked }: RelayState): LinePart[][] {
  const nextRetryAt = Math.min(...blocked.map(({ retryAt }) => retryAt));
  return blocked.length === 0
    ? []
    : [
        ...blocked.slice(0, mostChannels).map((one) => blockedLine(relay, one)),
        [
          'Posts for it wait in order. ',
          momentAfter('Scandesk tries again at ', nextRetryAt, '{time}'),
          '. After a day, a waiting post is marked as not delivered; Retry then sends it.',
        ],
      ];
}

/** `Blocked: #door is archived, and 9 rules post there. Unarchive it, or choose another channel in those rules.` */
function blockedLine(relay: Relay, { channel, code, waiting }: RelayState['blocked'][number]): LinePart[] {
  const { rules } = relay.settings;
  const { what, remedy } = blockReason(channel, code);
  const posting = rules.filter((rule) => rule.on && rule.action === 'post' && rule.channel === channel).length;
  const affectedRules = !channelsOf(relay).includes(channel)
    ? `. Nothing new is posted there, but ${countOf(waiting, 'post')} ${waiting === 1 ? 'waits' : 'wait'}. ${remedy}.`
    : rules.length === 0
      ? `. ${remedy}, or choose another channel with Edit.`
      : posting === 1
        ? `, and 1 rule posts there. ${remedy}, or choose another channel in that rule.`
        : `, and ${countOf(posting, 'rule')} post there. ${remedy}, or choose another channel in those rules.`;
  return [bold('Blocked: '), ...what, affectedRules];
}

/** Why a channel is blocked, and the remedy. Slack reports a private channel as missing to anyone who is not in it. */
export function blockReason(
  channel: string,
  code: string,
): { readonly what: readonly LinePart[]; readonly remedy: string } {
  const named = channelElement(channel);
  if (code === 'slack.is_archived' || code === 'slack.is_inactive') {
    return { what: [named, ' is archived'], remedy: 'Unarchive it' };
  }
  return code.startsWith('slack.restricted_action')
    ? { what: [named, ' doesn’t let Scandesk post'], remedy: 'Allow it' }
    : {
        what: ['Scandesk isn’t in ', named, ', or the channel no longer exists'],
        remedy: 'Invite Scandesk again',
      };
}

export function createdLine(relay: Relay): LinePart[] {
  return ['Created by ', person(relay.createdBy), momentAfter(', ', relay.createdAt)];
}
