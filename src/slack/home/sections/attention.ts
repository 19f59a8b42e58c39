/** App Home's first section: what needs somebody now, as open alerts, overdue things and relays with a problem. Pure. */
import { countOf } from '../../../english.js';
import { scansNotValid } from '../../../scans/result-words.js';
import { type Block, context } from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import { bold, type LinePart, momentAfter, person, richText } from '../../block-kit/text.js';
import { relayName } from '../../channel-posts/describe/describe-relay.js';
import { sinceElements, thingElements } from '../../lent/thing-lines.js';
import type { LentThing } from '../../lent/things.js';
import { crossedText } from '../../places/alert-messages.js';
import { type ListedReport, reportProblem } from '../../reports/list-view.js';
import type { CrossedList, HomeFacts, OpenAlert } from '../facts.js';
import { needsSomebody, relayRows } from './relays.js';

/** The most alerts, things and relays shown, of each. */
const mostShown = 5;

export function attentionBlocks({
  alerts = [],
  crossed = [],
  overdue = [],
  reports = [],
  relays,
  role,
}: HomeFacts): Block[] {
  const failing = relays.filter(needsSomebody);
  const lines = [
    ...alerts.slice(0, mostShown).map(alertLine),
    ...crossed.slice(0, mostShown).flatMap(crossedLine),
    ...overdue.slice(0, mostShown).map(overdueLine),
    ...reports.flatMap(reportLine).slice(0, mostShown),
  ];
  const left = [
    ...(alerts.length > mostShown ? [countOf(alerts.length - mostShown, 'more alert')] : []),
    ...(overdue.length > mostShown ? [countOf(overdue.length - mostShown, 'more overdue thing')] : []),
    ...(failing.length > mostShown ? [countOf(failing.length - mostShown, 'more relay')] : []),
  ];
  return lines.length === 0 && failing.length === 0
    ? []
    : [
        richText([bold('Needs somebody')], ...lines),
        ...relayRows(failing.slice(0, mostShown), role !== 'everyone'),
        ...(left.length > 0 ? [context(`And ${left.join(', ')}.`)] : []),
      ];
}

function alertLine({ incident, relay }: OpenAlert): LinePart[] {
  const { kind, scans, beganAt, acknowledged, assigned } = incident;
  const whose: LinePart[] = assigned ? ['with ', person(assigned.to)] : acknowledgedBy(acknowledged);
  return [
    '🚨 ',
    momentAfter(`${kind === 'burst' ? scansNotValid(scans) : 'No scan'} since `, beganAt),
    ` · ${relayName(relay)} · `,
    ...whose,
  ];
}

function acknowledgedBy(acknowledged: { readonly by: string } | undefined): LinePart[] {
  return acknowledged ? ['acknowledged by ', person(acknowledged.by)] : ['not acknowledged'];
}

/** None where the list has no capacity any more: its thresholds are about to end. */
function crossedLine({ list: { name, settings }, threshold }: CrossedList): LinePart[][] {
  const { percent, openedAt, acknowledged } = threshold;
  const { capacity } = settings;
  return capacity === undefined
    ? []
    : [
        [
          crossedText({ name, percent, capacity }),
          momentAfter(' since ', openedAt),
          ' · ',
          ...acknowledgedBy(acknowledged),
        ],
      ];
}

function reportLine({ report, name }: ListedReport): LinePart[][] {
  const problem = reportProblem(report);
  return problem === undefined ? [] : [['📊 Daily report', name === undefined ? '' : ` about ${name}`, `: ${problem}`]];
}

function overdueLine({ list, place, holder, asOf }: LentThing): LinePart[] {
  return [
    '⏰ ',
    ...thingElements(place),
    ` · ${holder === undefined ? '' : `${shortName(holder)} · `}${shortName(list.name)} ·`,
    ...sinceElements(place, asOf),
  ];
}
