/** A post as one line: sign, barcode, where, result. *Details* shows the rest. Pure. */
import { countOf } from '../../../english.js';
import type { Post, ReceivedScan, ScanPost } from '../../../relay/index.js';
import { addsToResult } from '../../block-kit/describe-result.js';
import { shortBarcode, shortName, shortText } from '../../block-kit/short-text.js';
import { bold, joined, type LinePart, momentAfter, person, textElement, userGroup } from '../../block-kit/text.js';
import { relayName } from '../describe/describe-relay.js';
import { cardTitle, digestTitle } from './digest-post.js';
import { showsRepeats, tryText } from './earlier-line.js';
import { alarmHeadline, escalationLines, replyLines } from './incident-post.js';
import { mentionOf, watcherElement, watchersOf } from './mentioned.js';
import type { PostNames } from './post-names.js';
import { acknowledgementOf, alertOf, mentionText } from './post-parts.js';
import { isLate, nameOf, placesOf, resultLabel, scannedAt } from './scan-post.js';
import { resultsText } from './tally-lines.js';

/** The most characters of a barcode, and of any other text, in a line; *Details* shows longer text. */
const limits = { barcode: 40, text: 80 } as const;

/** How long after a scan its time of day is clear without a date. */
const recentMs = 12 * 3_600_000;

type Part = readonly LinePart[];

export function linePost(post: Post, names: PostNames): LinePart[] {
  const watchers = watchersOf(post, names.members);
  const { users, groups } = mentionOf(post, names.members);
  // The line calls watchers where it says that they watch.
  const called = users.filter((id) => !post.watchers.includes(id));
  return [
    ...[...called.map(person), ...groups.map(userGroup)].flatMap((each) => [each, ' ']),
    ...joined(
      [
        ...partsOf(post, names),
        ...(watchers.length > 0 ? [['watched by ', ...joined(watchers.map(watcherElement), ', ')]] : []),
        ...answerParts(post),
      ],
      ' · ',
    ),
  ];
}

function partsOf(post: Post, names: PostNames): readonly Part[] {
  const relay = textElement(shortName(relayName(post.relay)));
  switch (post.kind) {
    case 'scan':
      return scanParts(post, names);
    case 'burst': {
      const { incident, burst, scan } = post;
      const isLast = scan && !incident?.ended && (incident?.scans ?? burst.n) <= burst.n;
      const last = isLast ? [['last ', ...shortBarcode(scan.tid, limits.barcode)]] : [];
      return [alarmHeadline(post, names), [relay], ...last];
    }
    case 'silence':
      return [alarmHeadline(post, names), [relay]];
    case 'mention':
      return [[mentionText]];
    case 'reply':
      return replyLines(post, names);
    case 'escalation':
      return escalationLines(post, names);
    case 'digest': {
      const alarms = post.tally.scans > 0 ? post.alarms.length : 0;
      return [
        [bold(digestTitle(post))],
        [relay],
        ...counts(post),
        ...(alarms > 0 ? [[`⚠️ ${countOf(alarms, 'alert')}`]] : []),
      ];
    }
    case 'card':
      return [[bold(cardTitle(post))], [`${countOf(post.tally.scans, 'scan')} so far`], ...counts(post)];
  }
}

function scanParts(post: ScanPost, names: PostNames): readonly Part[] {
  const { scan, relay } = post;
  const result = resultLabel(scan, relay);
  const [sign = '', ...words] = result.split(' ');
  const { service } = names.scan;
  const [place] = placesOf({ sid: scan.sid }, relay, service === undefined ? {} : { service });
  const firstAdmission = showsRepeats(scan, post) ? admission(scan, names) : undefined;
  const used = scan.finding === 'duplicate' && firstAdmission !== undefined;
  return [
    [`${sign} `, ...shortBarcode(scan.tid, limits.barcode)],
    ...(place === undefined ? [] : [[place]]),
    ...(used ? [] : [[words.join(' ').toLowerCase()]]),
    ...(addsToResult(scan.text, result) && !used ? [[shortText(oneLine(scan.text), limits.text)]] : []),
    ...(firstAdmission ? [firstAdmission(used ? 'already used ' : 'admitted ')] : []),
    ...(showsRepeats(scan, post) && tryText(scan) !== undefined ? [[tryText(scan) ?? '']] : []),
    ...(isLate(scan) ? [[momentAfter('scanned ', scannedAt(scan), '{date_short_pretty} {time}')]] : []),
  ];
}

/** When and by whom the barcode was admitted before. */
function admission({ earlier, receivedAt }: ReceivedScan, names: PostNames): ((prefix: string) => Part) | undefined {
  const { accepted, lastAcceptedAt } = earlier ?? {};
  const at = accepted?.at ?? lastAcceptedAt;
  if (at === undefined) {
    return undefined;
  }
  const format = Math.abs(receivedAt - at) < recentMs ? '{time}' : '{date_short_pretty} {time}';
  const by = accepted && nameOf(names.earlier?.user, 'user', accepted.userid);
  return (prefix) => [momentAfter(prefix, at, format), ...(by === undefined ? [] : [` by ${by}`])];
}

function counts({ tally }: Extract<Post, { kind: 'digest' | 'card' }>): Part[] {
  const results = resultsText(tally);
  return results === '' ? [] : [[results]];
}

/** The person who resolved, took over or acknowledged the post. */
function answerParts(post: Post): Part[] {
  const { resolved, assigned } = alertOf(post) ?? {};
  const acknowledged = acknowledgementOf(post);
  if (resolved) {
    return [answer('☑️ resolved by ', resolved, resolved.reason)];
  }
  if (assigned) {
    return [['🤝 with ', person(assigned.to), momentAfter(' since ', assigned.at, '{time}')]];
  }
  return acknowledged ? [answer('✅ acknowledged by ', acknowledged, acknowledged.note)] : [];
}

function answer(
  leadText: string,
  { by, at }: { readonly by: string; readonly at: number },
  text: string | undefined,
): Part {
  return [
    ...[leadText, person(by), momentAfter(', ', at, '{time}')],
    ...(text === undefined ? [] : [': ', shortText(oneLine(text), limits.text)]),
  ];
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ');
}
