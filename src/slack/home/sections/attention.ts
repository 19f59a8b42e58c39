/**
 * App Home's first section: what needs somebody now, as open alerts, overdue things and relays with a problem; then the
 * alerts that the reader has, and those that somebody else has. Pure.
 */
import { countOf } from '../../../english.js';
import { scansNotValid } from '../../../scans/result-words.js';
import { actions, type Block, button, context } from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import { bold, channelElement, type LinePart, momentAfter, person, richText } from '../../block-kit/text.js';
import { encode, longest } from '../../bolt/metadata.js';
import { postData } from '../../channel-posts/blocks/post-actions.js';
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
  reader,
}: HomeFacts): Block[] {
  const failing = relays.filter(needsSomebody);
  const open = alerts.filter(({ incident }) => !isTaken(incident));
  const lines = [...overdue.slice(0, mostShown).map(overdueLine), ...reports.flatMap(reportLine).slice(0, mostShown)];
  const left = [
    ...alertsLeft(open),
    ...(overdue.length > mostShown ? [countOf(overdue.length - mostShown, 'more overdue thing')] : []),
    ...(failing.length > mostShown ? [countOf(failing.length - mostShown, 'more relay')] : []),
  ];
  const needing = [
    ...alertsBlocks(
      open,
      crossed.filter(({ threshold }) => !isTaken(threshold)),
    ),
    ...(lines.length > 0 ? [richText(...lines)] : []),
    ...relayRows(failing.slice(0, mostShown), role !== 'everyone'),
    ...(left.length > 0 ? [context(`And ${left.join(', ')}.`)] : []),
  ];
  const taken = (heading: string, isReaders: boolean): Block[] => {
    const theirs = (one: Held) => isTaken(one) && (holderOf(one) === reader) === isReaders;
    const theirAlerts = alerts.filter(({ incident }) => theirs(incident));
    const blocks = [
      ...alertsBlocks(
        theirAlerts,
        crossed.filter(({ threshold }) => theirs(threshold)),
      ),
      ...alertsLeft(theirAlerts).map((left) => context(`And ${left}.`)),
    ];
    return blocks.length > 0 ? [richText([bold(heading)]), ...blocks] : [];
  };
  return [
    ...(needing.length > 0 ? [richText([bold('Needs somebody')]), ...needing] : []),
    ...taken('You have these', true),
    ...taken('Somebody else has these', false),
  ];
}

const alertsLeft = ({ length }: readonly OpenAlert[]) =>
  length > mostShown ? [countOf(length - mostShown, 'more alert')] : [];

const alertsBlocks = (alerts: readonly OpenAlert[], crossed: readonly CrossedList[]): Block[] => [
  ...alerts.slice(0, mostShown).flatMap(alertBlocks),
  ...crossed.slice(0, mostShown).flatMap(crossedBlocks),
];

interface Held {
  readonly acknowledged?: { readonly by: string } | undefined;
  readonly assigned?: { readonly to: string } | undefined;
}

/** The person who was handed an alert, or has acknowledged it; undefined: nobody has it. */
const holderOf = ({ acknowledged, assigned }: Held) => assigned?.to ?? acknowledged?.by;
const isTaken = (held: Held) => holderOf(held) !== undefined;

function alertBlocks({ incident, relay, channel }: OpenAlert): Block[] {
  const { postKey, kind, scans, beganAt, acknowledged, assigned } = incident;
  const whose: LinePart[] = assigned ? ['with ', person(assigned.to)] : acknowledgedBy(acknowledged);
  return [
    richText([
      '🚨 ',
      momentAfter(`${kind === 'burst' ? scansNotValid(scans) : 'No scan'} since `, beganAt),
      ` · ${relayName(relay)} in `,
      channelElement(channel),
      ' · ',
      ...whose,
    ]),
    actions(
      [...(isTaken(incident) ? [] : [acknowledgeButton(postKey)]), button('Details', 'post.details', dataOf(postKey))],
      blockOf(postKey),
    ),
  ];
}

function acknowledgedBy(acknowledged: { readonly by: string } | undefined): LinePart[] {
  return acknowledged ? ['acknowledged by ', person(acknowledged.by)] : ['not acknowledged'];
}

/** The same id whenever App Home is drawn, so that a click on a view that is being replaced is found. */
const blockOf = (post: string) => `home.alert.${post}`.slice(0, 255);
const dataOf = (post: string) => ({ value: encode(postData, { post }, longest.button) });
const acknowledgeButton = (post: string) => button('Acknowledge', 'post.acknowledge', dataOf(post));

/** None where the list has no capacity any more: its thresholds are about to end. */
function crossedBlocks({ list: { name, settings }, threshold }: CrossedList): Block[] {
  const { postKey, percent, openedAt, acknowledged } = threshold;
  const { capacity, alerts } = settings;
  return capacity === undefined
    ? []
    : [
        richText([
          crossedText({ name, percent, capacity }),
          momentAfter(' since ', openedAt),
          ...(alerts === undefined ? [] : [' in ', channelElement(alerts.channel)]),
          ' · ',
          ...acknowledgedBy(acknowledged),
        ]),
        ...(acknowledged ? [] : [actions([acknowledgeButton(postKey)], blockOf(postKey))]),
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
