/**
 * The rule preview: how many of a relay's last scans the rules would have posted, and which scans. It counts muted
 * posts, so that nobody looks for the mistake in the rules. Pure.
 */
import type { NameOf } from '../../../../codereadr/types.js';
import { countOf, plural } from '../../../../english.js';
import {
  firstSilenceAt,
  noRelay,
  type PreviewedIncidents,
  type PreviewedScan,
  previewIncidents,
  type Rule,
  silenceOf,
} from '../../../../relay/index.js';
import { signs } from '../../../block-kit/describe-result.js';
import type { Block } from '../../../block-kit/elements.js';
import { shortName } from '../../../block-kit/short-text.js';
import {
  barcodeElement,
  bold,
  bulletList,
  channelElement,
  code,
  type LinePart,
  momentAfter,
  richText,
} from '../../../block-kit/text.js';
import { channelElements } from '../../../channel-posts/describe/describe-relay.js';
import { ruleTitle } from '../../../channel-posts/describe/describe-rule.js';
import { describeNone, describeScans, type ScansRead } from './preview-span.js';

export interface PreviewOptions extends ScansRead {
  /** The most lines of a preview. */
  readonly most: number;
  /** The id of the only rule whose posts are shown; all rules if unset. */
  readonly rule?: string;
  /** Whether the rule starts a workflow. */
  readonly starts?: boolean;
  /** Whether each post of the rule is an alert that it would have opened. */
  readonly alertsOnly?: boolean;
  readonly nameOf?: NameOf | undefined;
}

/** The sentence of a preview and the scans that it found. `would`: `would have been posted`; `more`: after it. */
export function foundBlocks(
  scans: string,
  found: number,
  would: string,
  { more = '', lines, most }: { readonly more?: string; readonly lines: readonly LinePart[][]; readonly most: number },
): Block[] {
  const shown = lines.slice(0, most);
  const left = found - shown.length;
  return [
    richText([
      bold(`Of ${scans}, ${found === 0 ? 'none' : found.toLocaleString('en-US')} ${would}`),
      `${more}${shown.length === 0 ? '.' : ':'}`,
    ]),
    ...(shown.length === 0 ? [] : [bulletList(shown)]),
    ...(left > 0 ? [richText(`… and ${left.toLocaleString('en-US')} more.`)] : []),
  ];
}

/** The preview as blocks. `scans`: newest first. */
export function previewBlocks(
  scans: readonly PreviewedScan[],
  { most, rule, starts = false, alertsOnly = false, nameOf, ...read }: PreviewOptions,
): Block[] {
  if (scans.length === 0) {
    return [richText(describeNone(read))];
  }
  const postsToShow = (posts: PreviewedScan['posts']) =>
    posts.filter(({ kind, rules }) => (rule === undefined ? kind !== 'workflow' : isRuleIn(rules, rule)));
  const previewScans = scans.map(({ scan, posts, unmuted = posts }) => ({
    scan,
    posts: postsToShow(posts),
    unmuted: postsToShow(unmuted),
  }));
  const postedScans = previewScans.filter(({ posts }) => posts.length > 0);
  const mutedScans = previewScans.filter(({ posts, unmuted }) => posts.length === 0 && unmuted.length > 0);
  const recorded = scans.filter(({ scan }) => scan.relayId === noRelay).length;
  const inAll = scans.filter(hasPosts).length;
  // What the relay posts in all is said where it is more than nothing.
  const isOfRule = rule !== undefined && inAll > 0;
  const posted = 'would have been posted';
  const would = starts
    ? 'would have started the workflow'
    : alertsOnly
      ? 'would have opened an alert'
      : `${posted}${isOfRule ? ' by this rule' : ''}`;
  return [
    ...foundBlocks(describeScans(read, scans.length, recorded), postedScans.length, would, {
      more: isOfRule && !starts ? `, ${inAll}${alertsOnly ? ` ${posted}` : ''} by the relay in all` : '',
      lines: postedScans.slice(0, most).map((each) => line(each, rule === undefined, nameOf)),
      most,
    }),
    ...mutedBlocks(
      mutedScans.flatMap(({ unmuted }) => unmuted),
      mutedScans.length,
      postedScans.length > 0,
    ),
  ];
}

/**
 * The posts and alerts that a rule would have made by `now`; if it stops, or is a silence, the posts of the relay.
 * `begins`: the rule would begin to wait for scans with its saving.
 */
export function rulePreview(
  rule: Rule,
  scans: readonly PreviewedScan[],
  now: number,
  {
    begins = false,
    ...options
  }: Omit<PreviewOptions, 'rule' | 'starts' | 'alertsOnly'> & { readonly begins?: boolean },
): Block[] {
  if (rule.action === 'stop') {
    const stops = 'A rule that stops posts nothing. This is what the relay posts with it:';
    return [richText(stops), ...previewBlocks(scans, options)];
  }
  const alerts = scans.length === 0 ? undefined : previewIncidents(rule, scans, now);
  const beginBlocks = begins ? firstAlertBlocks(firstSilenceAt(rule, now)) : [];
  const alertBlocks = alerts ? [richText(alertsText(alerts, rule))] : [];
  if (silenceOf(rule)) {
    const isElse = scans.length === 0 || scans.some(hasPosts) || scans.some(({ unmuted = [] }) => unmuted.length > 0);
    const others = isElse
      ? [richText('What else the relay posts:'), ...previewBlocks(scans, options)]
      : [richText('The relay would have posted nothing else.')];
    return [...alertBlocks, ...beginBlocks, ...others];
  }
  const posts = scans.filter((scan) => scan.posts.some(({ rules }) => isRuleIn(rules, rule.id))).length;
  const alertsOnly = alerts?.opened === posts;
  const escalation = alerts ? escalationText(alerts, rule) : '';
  const starts = rule.action === 'workflow';
  return [
    ...(alertsOnly ? [] : alertBlocks),
    ...beginBlocks,
    ...previewBlocks(scans, { ...options, rule: rule.id, starts, alertsOnly }),
    ...(alertsOnly && escalation !== '' ? [richText(escalation)] : []),
  ];
}

/** Whether the relay would have posted the scan. */
function hasPosts({ posts }: PreviewedScan): boolean {
  return posts.some(({ kind }) => kind !== 'workflow');
}

function firstAlertBlocks(at: number | undefined): Block[] {
  return at === undefined || !Number.isFinite(at)
    ? []
    : [richText([momentAfter('Saved now, it alerts ', at), ' if no scan comes before.'])];
}

/** The alerts in words: `3 alerts would have opened. Unanswered, they would have escalated 2 times.` */
function alertsText(alerts: PreviewedIncidents, rule: Rule): string {
  return alerts.opened === 0
    ? 'No alert would have opened.'
    : [`${countOf(alerts.opened, 'alert')} would have opened.`, escalationText(alerts, rule)].join(' ').trim();
}

function escalationText({ opened, escalated }: PreviewedIncidents, { escalate }: Rule): string {
  const times = escalated === 0 ? 'not have escalated' : `have escalated ${countOf(escalated, 'time')}`;
  return escalate && opened > 0 ? `Unanswered, ${plural(opened, 'the alert', 'the alerts')} would ${times}.` : '';
}

/** The posts that mutes left out: `🔕 28 more are muted in #door. Run /scandesk mute there to see the mute.` */
function mutedBlocks(posts: PreviewedScan['posts'], count: number, hasMore: boolean): Block[] {
  if (count === 0) {
    return [];
  }
  const channels = [...new Set(posts.map(({ channel }) => channel))];
  return [
    richText([
      `🔕 ${count}${hasMore ? ' more' : ''} ${plural(count, 'is', 'are')} muted in `,
      ...channelElements(channels),
      '. Run ',
      code('/scandesk mute'),
      ' there to see the mute.',
    ]),
  ];
}

function isRuleIn(rules: readonly Rule[], id: string): boolean {
  return rules.some((rule) => rule.id === id);
}

/** One scan's posts: `❌ 00123 → #door by “Scans that are not valid”, today 14:03:22`. */
function line({ scan, posts }: PreviewedScan, hasRuleNames: boolean, nameOf: NameOf | undefined): LinePart[] {
  const sign = scan.valid ? signs.valid : signs.invalid;
  return [
    `${sign} `,
    barcodeElement(scan.tid),
    ...posts.flatMap(({ kind, channel, rules, watchers, quiet, how }): LinePart[] => [
      ...(kind === 'workflow' ? [] : [' → ', channelElement(channel)]),
      ...(hasRuleNames && rules.length > 0
        ? [` by “${rules.map((rule) => shortName(ruleTitle(rule, nameOf), 40)).join('”, “')}”`]
        : []),
      ...(watchers.length > 0 ? [' because it is watched'] : []),
      ...(kind === 'burst' ? [', as an alert with the scans before it'] : []),
      ...(quiet ? [', after quiet hours'] : how === 'digest' ? [', in a digest'] : []),
    ]),
    momentAfter(', ', scan.receivedAt, '{date_short_pretty} {time_secs}'),
  ];
}
