/** Bursts and silences in their states, their escalations and thread replies. Outside text appears verbatim. Pure. */
import { describeMinutes } from '../../../english.js';
import type {
  BurstPost,
  EscalationPost,
  IncidentFacts,
  ReceivedScan,
  ReplyPost,
  ScanTally,
  SilencePost,
} from '../../../relay/index.js';
import { messageKeyOf, resultCodes, zoneOfRule } from '../../../relay/index.js';
import { scansNotValid } from '../../../scans/result-words.js';
import { addsToResult, signedResultOf } from '../../block-kit/describe-result.js';
import type { Block } from '../../block-kit/elements.js';
import { shortBarcode, shortName, shortText } from '../../block-kit/short-text.js';
import {
  bold,
  escaped,
  fallback,
  type LinePart,
  momentAfter,
  momentElement,
  person,
  preformatted,
  settled,
  textElement,
} from '../../block-kit/text.js';
import { overText } from '../describe/describe-incident.js';
import { relayName } from '../describe/describe-relay.js';
import { storyText } from '../describe/incident-story.js';
import type { PostNames } from './post-names.js';
import { nameOf, type ScanNames } from './scan-post.js';
import { alarmElements, resultsText, type ServiceNames, servicesText } from './tally-lines.js';

type Line = LinePart[];

interface AlarmNames {
  /** The names of the source of a silence. */
  readonly scan: ScanNames;
  readonly services: ServiceNames;
}

const signs = { burst: '🚨', silence: '🔇', over: '🟢', escalated: '⏫' } as const;

/** The alert's headline, in bold: what to do about which cause, or that the alert is over. */
export function alarmHeadline(post: BurstPost | SilencePost, names: AlarmNames): Line {
  return headlineElements(post, names).map((part) => (typeof part === 'string' ? bold(part) : part));
}

function headlineElements(post: BurstPost | SilencePost, names: AlarmNames): Line {
  const { incident } = post;
  if (incident?.ended) {
    return [`${signs.over} `, ...overElements(incident, post.relay, names)];
  }
  if (post.kind === 'burst') {
    const summary = incident ? countElements(incident) : alarmElements({ kind: 'burst', ...post.burst });
    return [`${signs.burst} `, ...summary];
  }
  const source = sourceOf(post.silence, names);
  const summary = isRepost(post)
    ? [stillText(source), momentAfter(' since ', post.silence.since)]
    : alarmElements({ kind: 'silence', ...post.silence }, source);
  const isOpen = !incident?.resolved && incident?.restsUntil === undefined;
  const what = isOpen ? `Check ${post.silence.of === 'device' ? 'the device' : 'the scanners'}. ` : '';
  return [`${signs.silence} ${what}`, ...summary, ...goesOnElements(post)];
}

/** For a silence that nobody resolved: when it was posted again, on the older post, or until when it rests. */
function goesOnElements({ key, incident }: SilencePost): Line {
  if (!incident || incident.resolved) {
    return [];
  }
  const { restsUntil, repostedAt } = incident;
  if (repostedAt !== undefined && key !== messageKeyOf(incident)) {
    return [momentAfter(' · posted again ', repostedAt)];
  }
  return restsUntil === undefined ? [] : [momentAfter(' · resting until ', restsUntil)];
}

function isRepost({ key, incident }: SilencePost): boolean {
  return incident !== undefined && key !== incident.postKey;
}

function stillText(source: string | undefined): string {
  return `Still no scan${source === undefined ? '' : ` from ${source}`}`;
}

export function alarmText(post: BurstPost | SilencePost, names: AlarmNames): string {
  const { incident } = post;
  if (incident?.ended) {
    return escaped(`${signs.over} ${overText(incident)}`);
  }
  if (post.kind === 'burst') {
    const summary = `${signs.burst} ${scansNotValid(post.burst.n)} within ${post.burst.minutes} min`;
    return post.scan ? `${escaped(summary)}, the last ${fallback(post.scan.tid)}` : escaped(summary);
  }
  const sourceName = sourceOf(post.silence, names);
  if (isRepost(post)) {
    return escaped(`${signs.silence} ${stillText(sourceName)}`);
  }
  return escaped(
    `${signs.silence} No scan${sourceName === undefined ? '' : ` from ${sourceName}`} for ${post.silence.minutes} min`,
  );
}

export function alarmLines(post: BurstPost | SilencePost, names: AlarmNames): Line[] {
  const { incident } = post;
  const headline = [...alarmHeadline(post, names), ` · ${relayName(post.relay)}`];
  if (post.kind === 'silence') {
    const alarm = incident?.ended
      ? [alarmElements({ kind: 'silence', ...post.silence }, sourceOf(post.silence, names))]
      : [];
    return [headline, ...alarm];
  }
  if (!incident) {
    return [headline, ['Last: ', ...barcodeOf(post.scan)]];
  }
  return incident.ended
    ? [headline, spanLine(incident, names)]
    : [
        [...headline, ...mostFrequent(incident, names)],
        ['Set off by ', ...barcodeOf(post.scan)],
      ];
}

function countElements({ scans, beganAt }: Pick<IncidentFacts, 'scans' | 'beganAt'>): Line {
  return [`${scansNotValid(scans)} `, momentAfter('since ', beganAt, '{time}')];
}

function barcodeOf(scan: ReceivedScan | undefined): Line {
  return scan ? shortBarcode(scan.tid, longestListed) : [textElement('a scan that was deleted', { italic: true })];
}

/** The lines of a reply in an incident's thread. */
export function replyLines({ incident, reply, relay }: ReplyPost, names: AlarmNames): Line[] {
  switch (reply.part) {
    case 'opened': {
      const judges = relay.settings.judging.kind !== 'accept';
      return [
        [bold(replyTitle(reply.part))],
        ...reply.scans.map((scan) => openingLine(scan, judges, names)),
        ...(reply.scans.length < incident.scans && reply.scans.length === 0
          ? [[textElement('These scans were deleted.', { italic: true })]]
          : []),
      ];
    }
    case 'update': {
      const tally = scanTally(reply);
      return [
        [bold(replyTitle(reply.part)), ': ', ...countElements({ ...incident, scans: reply.scans })],
        ...texts(resultsText(tally), servicesText(tally, names.services)),
      ];
    }
    case 'handed_over':
      return [[person(reply.by), ' handed this alert over to you.']];
    // The live message says how long it took and of how many scans, and so does the story below.
    case 'over': {
      const tally = scanTally(incident);
      const { endScan } = incident;
      const figures =
        incident.kind === 'burst'
          ? texts(
              tally.findings.length > 1 ? resultsText(tally) : '',
              tally.services.length > 1 ? servicesText(tally, names.services) : '',
            )
          : endScan
            ? [openingLine(endScan, relay.settings.judging.kind !== 'accept', names)]
            : [];
      return [[bold(`${signs.over} Over`)], ...figures];
    }
  }
}

export function escalationLines(post: EscalationPost, names: AlarmNames): Line[] {
  const { incident, relay } = post;
  const state = incident.ended
    ? [`${signs.over} `, ...overElements(incident, relay, names)]
    : [`${signs[incident.kind]} `, ...lastingElements(incident, names)];
  return [[bold(escalationText(post))], [...state, ` · ${relayName(relay)}`]];
}

export function escalationText({ minutes }: Pick<EscalationPost, 'minutes'>): string {
  return `${signs.escalated} Nobody acknowledged this alert for ${describeMinutes(minutes)}`;
}

/** The story of an incident that is over, as one text: Slack copies preformatted text with one click. */
export function storyBlocks({ incident, reply, relay, rules }: ReplyPost, { people }: PostNames): Block[] {
  if (reply.part !== 'over') {
    return [];
  }
  const rule = relay.settings.rules.find(({ id }) => id === incident.ruleId);
  const named = rules[0]?.name || rule?.name;
  const title = `Alert${named ? ` “${shortName(named)}”` : ''} · ${relayName(relay)}`;
  const zone = (rule && zoneOfRule(rule)) ?? people?.get(relay.createdBy)?.zone ?? 'UTC';
  const text = storyText(
    incident,
    { title, escalate: rule?.escalate },
    { person: (id) => settled(people?.get(id)?.name ?? `member ${id}`), zone },
  );
  return [preformatted(text)];
}

export function replyText({ incident, reply }: ReplyPost): string {
  switch (reply.part) {
    case 'over':
      return escaped(`${signs.over} ${overText(incident)}`);
    case 'handed_over':
      return `<@${reply.by}> handed this alert over to you.`;
    default:
      return escaped(replyTitle(reply.part));
  }
}

function lastingElements(incident: IncidentFacts, names: AlarmNames): Line {
  if (incident.kind === 'burst') {
    return [...countElements(incident), ...mostFrequent(incident, names)];
  }
  const source = sourceOf({ of: incident.subject, id: incident.subjectId || undefined }, names);
  return [`No scan${source === undefined ? '' : ` from ${source}`} `, momentAfter('since ', incident.beganAt)];
}

function replyTitle(part: 'opened' | 'update'): string {
  return part === 'opened' ? 'The scans that set it off' : 'Still going on';
}

/** The end of an incident; its first scan's service where the name of the relay, which follows, does not say it. */
function overElements(incident: IncidentFacts, relay: BurstPost['relay'], names: AlarmNames): Line {
  const { ended, endScan } = incident;
  if (ended?.why !== 'scan') {
    return [overText(incident)];
  }
  const place = endScan && serviceOf(endScan.sid, names);
  return [
    `${overText(incident)}: `,
    momentAfter('first scan again ', ended.at, '{time}'),
    ...(place === undefined || place === relayName(relay) ? [] : [`, ${place}`]),
  ];
}

/** When the incident's scans were made, and where most: `From 18:02 to 18:16 · most at Gate B`; `At 18:02`. */
function spanLine(incident: IncidentFacts, names: AlarmNames): Line {
  const { beganAt, lastAt } = incident;
  return [
    ...(lastAt - beganAt < 60_000
      ? [momentAfter('At ', beganAt, '{time}')]
      : [momentAfter('From ', beganAt, '{time}'), momentAfter(' to ', lastAt, '{time}')]),
    ...mostFrequent(incident, names),
  ];
}

/** The service that most of the incident's scans came from, where there are several. */
function mostFrequent({ tally }: IncidentFacts, names: AlarmNames): Line {
  const [first, ...others] = Object.entries(tally.services).sort(([, a], [, b]) => b - a);
  return first && others.length > 0 ? [` · most at ${serviceOf(first[0], names)}`] : [];
}

function openingLine(scan: ReceivedScan, judges: boolean, names: AlarmNames): Line {
  const result = signedResultOf(scan, judges);
  const place = serviceOf(scan.sid, names);
  return [
    `${result} `,
    ...shortBarcode(scan.tid, longestListed),
    ' ',
    momentElement(scan.receivedAt, '{time_secs}'),
    ...(place === undefined ? [] : [` · ${place}`]),
    ...(addsToResult(scan.text, result) ? [' · ', shortText(scan.text, responseShown)] : []),
  ];
}

const responseShown = 100;
/** The most characters of a barcode in a list. */
const longestListed = 120;

function serviceOf(id: string | undefined, { services }: AlarmNames): string | undefined {
  return nameOf(id === undefined ? undefined : services.get(id), 'service', id);
}

function sourceOf({ of, id }: Pick<SilencePost['silence'], 'of' | 'id'>, { scan }: AlarmNames): string | undefined {
  const known = { relay: undefined, device: scan.device, service: scan.service }[of];
  return of === 'relay' ? undefined : nameOf(known, of, id);
}

function scanTally({ scans, tally }: Pick<IncidentFacts, 'scans' | 'tally'>): ScanTally {
  return {
    scans,
    findings: resultCodes.flatMap((finding) => {
      const count = tally.findings[finding];
      return count === undefined ? [] : [{ finding, count }];
    }),
    services: Object.entries(tally.services)
      .map(([serviceId, count]) => ({ serviceId, count }))
      .sort((a, b) => b.count - a.count),
  };
}

function texts(...all: readonly string[]): Line[] {
  return all.filter((text) => text !== '').map((text) => [text]);
}
