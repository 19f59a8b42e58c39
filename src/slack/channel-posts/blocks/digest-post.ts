/** The digest, with counts and its first scans, and the thread's parent (card), with counts. Pure. */
import { countOf } from '../../../english.js';
import type { CardPost, DigestPost } from '../../../relay/index.js';
import { signedResultOf } from '../../block-kit/describe-result.js';
import { shortBarcode, shortName } from '../../block-kit/short-text.js';
import { bold, type LinePart, momentAfter, momentElement, textElement } from '../../block-kit/text.js';
import { relayName } from '../describe/describe-relay.js';
import { showsRepeats, tryText } from './earlier-line.js';
import { alarmLines, resultsText, type ServiceNames, servicesText } from './tally-lines.js';

const whys: Readonly<Record<DigestPost['why'], string>> = {
  collected: '',
  quiet: ' during quiet hours',
  behind: ', too many to post one by one',
};

/** The most characters of a barcode in a list. */
const longestListed = 120;

export function digestTitle({ tally, alarms, why }: DigestPost): string {
  const total = tally.scans > 0 || alarms.length === 0 ? countOf(tally.scans, 'scan') : countOf(alarms.length, 'alert');
  return `📦 ${total}${whys[why]}`;
}

export function digestLines(post: DigestPost, names: ServiceNames): LinePart[][] {
  const { relay, tally, alarms, first, from } = post;
  const judges = relay.settings.judging.kind !== 'accept';
  const scansLeft = tally.scans - first.length;
  return [
    [bold(digestTitle(post))],
    [`${relayName(relay)} · `, momentAfter('since ', from)],
    ...tallyLines(post, names),
    ...alarmLines(alarms),
    ...first.map((scan) => [
      `${signedResultOf(scan, judges)} `,
      ...shortBarcode(scan.tid, longestListed),
      ' ',
      momentElement(scan.receivedAt, '{time_secs}'),
      ...(showsRepeats(scan, post) && tryText(scan) !== undefined ? [` · ${tryText(scan)}`] : []),
    ]),
    ...(scansLeft > 0 ? [[textElement(`and ${countOf(scansLeft, 'more scan')}`, { italic: true })]] : []),
  ];
}

export function cardTitle({ relay, rules, day }: CardPost): string {
  const name = rules.map((rule) => rule.name).find((one) => one !== '') ?? relayName(relay);
  return `📋 ${shortName(name, 80)} · ${formatDay(day)}`;
}

export function cardLines(post: CardPost, names: ServiceNames): LinePart[][] {
  const { tally, alarms } = post;
  return [
    [bold(cardTitle(post))],
    [`${countOf(tally.scans, 'scan')} so far, in the thread`],
    ...tallyLines(post, names),
    ...alarmLines(alarms.slice(-3)),
  ];
}

/** The format is created once: each takes 30 KB. */
const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** A day like `2026-11-21`, formatted without conversion, as it is in the rule's own zone. */
function formatDay(day: string): string {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? day : dayFormat.format(at);
}

function tallyLines({ tally, relay }: DigestPost | CardPost, names: ServiceNames): LinePart[][] {
  // A relay of one service needs no list of services: its name already says which.
  const services = relay.serviceIds.length === 1 && tally.services.length === 1 ? '' : servicesText(tally, names);
  return [resultsText(tally), services].filter((line) => line !== '').map((line) => [line]);
}
