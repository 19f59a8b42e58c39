/** The message of a daily report, in the report's zone: how many, the comparison, a chart, what is missing. Pure. */
import { DateTime } from 'luxon';
import { countOf } from '../../english.js';
import type {
  CountOf,
  DayFigures,
  DaySpan,
  Gate,
  MissingPart,
  Reason,
  Report,
  ReportContent,
} from '../../reports/index.js';
import { hasWords, resultInText } from '../../scans/result-words.js';
import { countIn } from '../../search/index.js';
import { signedResult } from '../block-kit/describe-result.js';
import { actions, type Block, button, type Message, message, plainContext, tableBlock } from '../block-kit/elements.js';
import { shortName } from '../block-kit/short-text.js';
import { bold, channelElement, code, escaped, type LinePart, person, richText, settled } from '../block-kit/text.js';
import { encode, longest } from '../bolt/metadata.js';
import { relayName } from '../channel-posts/describe/describe-relay.js';
import { stillCounting } from '../lent/thing-lines.js';
import { insideText, movesText } from '../places/figures-lines.js';
import { chartBlock } from '../scans/chart.js';
import { scansOfDay, scansOfDayData } from './scans-of-day.js';

export interface ReportMessageOptions {
  /** Whether the message uses Slack's table and chart; otherwise it is in words. */
  readonly rich: boolean;
  /** Whether the message is a preview, for a person who wants to see what it will show. */
  readonly isPreview?: boolean;
}

/** A search's times have no seconds. */
const minuteMs = 60_000;
/** How many reasons are shown; the other refusals are counted together. */
const reasonsShown = 5;

export function reportMessage(report: Report, content: ReportContent, options: ReportMessageOptions): Message {
  const { figures, days } = content;
  const { totals } = figures;
  const reportName = subjectName(content.of);
  const day = dayName(days.day);
  const lead = leadText(content, report);
  const chart = options.rich ? chartBlock({ totals, unit: 'hour', zone: report.zone }) : undefined;
  const rows = rowsOf(content, report.zone);
  const dayText = days.isPart
    ? `${days.day.date} 00:00-${timeIn(Math.ceil(days.day.to / minuteMs) * minuteMs, report.zone)}`
    : days.day.date;
  const blocks: Block[] = [
    richText([bold(reportName), ` · ${day}`], [bold(lead)]),
    ...(rows.length === 0 ? [] : [options.rich ? table(content, rows) : inWords(content, rows)]),
    ...(chart ? [chart] : []),
    ...placeBlocks(content, report),
    ...noteBlocks(report, content, options),
    ...(countIn(totals) > 0
      ? [
          actions([
            button('See scans', scansOfDay, {
              value: encode(scansOfDayData, { report: report.id, when: dayText }, longest.button),
            }),
          ]),
        ]
      : []),
  ];
  return message(`${escaped(reportName)}, ${day}: ${escaped(lead)}`, blocks);
}

/** How many lists are shown: a workspace may have more than a report needs. */
const listsShown = 5;

/** The lists in a report: "Main hall: 1,204 inside at 22:00, 1,320 in, 116 out". */
function placeBlocks({ places }: ReportContent, { zone }: Report): Block[] {
  const lines = (places?.lists ?? [])
    .slice(0, listsShown)
    .map(({ name, counting, ...figures }) => [
      `${shortName(name)}: `,
      bold(`${insideText(figures)} at ${timeIn(places!.at, zone)}`),
      `, ${movesText(figures)}${counting ? `, ${stillCounting}` : ''}`,
    ]);
  return lines.length === 0 ? [] : [richText(...lines)];
}

/** The message that a part of the report is missing, posted once before the report pauses. */
export function missingMessage(report: Report, missing: MissingPart): Message {
  const [what, todo] = missingTexts[missing];
  return message(`⏸ This channel’s daily report is paused: ${what}.`, [
    richText(
      [bold('⏸ Daily report paused: '), `${what}.`],
      [person(report.createdBy), `: ${todo} `, code('/scandesk reports'), '.'],
    ),
  ]);
}

/** The message to a report's maker that it is paused. */
export function pausedMessage({ channel, paused }: Report): Message {
  const reasonText =
    paused?.why === 'failing'
      ? ': it couldn’t be posted three days in a row.'
      : ': it was archived, or Scandesk was removed from it. Invite Scandesk again, or choose another channel.';
  return message('⏸ Your daily report is paused.', [
    richText(
      [bold('⏸ Your daily report'), ' in ', channelElement(channel), ` is paused${reasonText}`],
      ['Then press Resume in ', code('/scandesk reports'), '.'],
    ),
  ]);
}

const missingTexts: Readonly<Record<MissingPart, readonly [what: string, todo: string]>> = {
  relay: ['its relay was deleted', 'choose another relay, or a saved search, in'],
  search: ['its saved search was deleted', 'choose another search, or a relay, in'],
  connection: ['no account is connected', 'connect one with /scandesk connect, then press Resume in'],
};

export function subjectName(subject: ReportContent['of']): string {
  return 'relay' in subject ? relayName(subject.relay) : shortName(subject.search.name, 75);
}

/** The report's first sentence: "212 scans until 22:00, 18 more than Saturday". */
function leadText({ figures, before, days }: ReportContent, { zone }: Report): string {
  const count = countIn(figures.totals);
  const untilText = days.isPart ? ` until ${timeIn(days.day.to, zone)}` : '';
  const scans = `${count === 0 ? 'No scans' : countOf(count, 'scan')}${untilText}`;
  if (!before) {
    return scans;
  }
  const earlier = countIn(before.totals);
  const otherDay = `${weekday(days.before)}${days.isPart ? ' by then' : ''}`;
  if (count === 0) {
    return earlier === 0
      ? `${scans}, as on ${otherDay}`
      : `${scans}; ${earlier.toLocaleString('en-US')} on ${otherDay}`;
  }
  return `${scans}, ${difference(count - earlier)} ${count === earlier ? 'on' : 'than'} ${otherDay}`;
}

function difference(countChange: number): string {
  if (countChange === 0) {
    return 'as many as';
  }
  return `${Math.abs(countChange).toLocaleString('en-US')} ${countChange > 0 ? 'more' : 'fewer'}`;
}

interface Row {
  readonly label: string;
  readonly now: string;
  readonly before: string;
}

/** The rows of the table; none where both the day and the day before had no scans. */
function rowsOf({ figures, before, gate, gateBefore }: ReportContent, zone: string): readonly Row[] {
  const { totals } = figures;
  if (countIn(totals) + countIn(before?.totals ?? noScans) === 0) {
    return [];
  }
  const row = (label: string, figureOf: (day: DayFigures) => number): Row[] => {
    const [now, earlier] = [figureOf(figures), before ? figureOf(before) : 0];
    return now + earlier === 0 ? [] : [{ label, now: number(now), before: number(earlier) }];
  };
  const reasons = figures.reasons.slice(0, reasonsShown);
  const reasonsLeft = figures.reasons.slice(reasonsShown);
  const busiest = (day: DayFigures | undefined) => {
    const most = day?.totals.buckets.toSorted((a, b) => countIn(b) - countIn(a))[0];
    return most ? `${timeIn(most.start, zone)} (${number(countIn(most))})` : dash;
  };
  const busiestGate = (at: Gate | undefined) => (at ? `${shortName(at.name, 30)} (${number(at.scans)})` : dash);
  const kind = gate?.kind ?? gateBefore?.kind;
  return [
    ...row(signedResult('valid'), (day) => day.totals.valid),
    ...row(signedResult('invalid'), (day) => day.totals.invalid),
    ...(saysNoMore(reasons) ? [] : reasons.flatMap(({ of }) => row(`– ${reasonLabel(of)}`, countFor(of)))),
    ...(reasonsLeft.length > 0
      ? row(`– ${countOf(reasonsLeft.length, 'more reason')}`, (day) => otherRefusals(day, figures))
      : []),
    ...row(signedResult('not_validated'), (day) => day.totals.other),
    { label: 'Busiest hour', now: busiest(figures), before: busiest(before) },
    ...(kind ? [{ label: `Busiest ${kind}`, now: busiestGate(gate), before: busiestGate(gateBefore) }] : []),
  ];
}

const noScans = { valid: 0, invalid: 0, other: 0 };
const dash = '–';
const number = (count: number) => count.toLocaleString('en-US');

/** Whether the only reason says no more than the result. */
function saysNoMore(reasons: readonly CountOf<Reason>[]): boolean {
  return reasons.length === 1 && reasons[0] !== undefined && keyOf(reasons[0].of) === keyOf({ code: 'invalid' });
}

function keyOf(reason: Reason): string {
  return JSON.stringify(reason);
}

function countFor(reason: Reason): (day: DayFigures) => number {
  return ({ reasons }) => reasons.find(({ of }) => keyOf(of) === keyOf(reason))?.count ?? 0;
}

/** How many refusals of a day have another reason than those shown, which are the most frequent ones of `first`. */
function otherRefusals(day: DayFigures, first: DayFigures): number {
  const named = first.reasons.slice(0, reasonsShown).reduce((sum, { of }) => sum + countFor(of)(day), 0);
  return Math.max(0, day.totals.invalid - named);
}

function reasonLabel(reason: Reason): string {
  return 'code' in reason
    ? hasWords(reason.code)
      ? resultInText(reason.code)
      : reason.code
    : shortName(reason.text, 60);
}

function table({ days, before }: ReportContent, rows: readonly Row[]): Block {
  const cells = (label: string, now: string, earlier: string) =>
    (before ? [label, now, earlier] : [label, now]).map(settled);
  return tableBlock(
    cells('Scans', weekday(days.day), weekday(days.before)),
    rows.map((row) => cells(row.label, row.now, row.before)),
  );
}

function inWords({ days, before }: ReportContent, rows: readonly Row[]): Block {
  const other = weekday(days.before);
  return richText(
    ...rows.map((row): LinePart[] => [
      `${row.label}: `,
      bold(row.now),
      ...(before ? [` (${other}: ${row.before})`] : []),
    ]),
  );
}

function noteBlocks(report: Report, content: ReportContent, { isPreview = false }: ReportMessageOptions): Block[] {
  const { gaps, before, days } = content;
  const { zone } = report;
  const missed = isPreview ? 0 : report.missed;
  const notes = [
    ...(isPreview ? ['Preview.'] : []),
    ...(missed > 0 ? [`${countOf(missed, 'report')} before this one could not be posted in time.`] : []),
    ...(gaps.relaysOnly ? ['Only scans received by relays: the account’s own scans aren’t kept in Scandesk yet.'] : []),
    ...(gaps.knownTo === undefined ? [] : [`The account’s scans are as of ${momentIn(gaps.knownTo, zone)}.`]),
    ...(gaps.keptSince === undefined ? [] : [`Scans are kept since ${momentIn(gaps.keptSince, zone)}.`]),
    ...(before ? [] : [`Scans of ${weekday(days.before)} aren’t known in full, so there is no comparison.`]),
    ...(gaps.late ? [`Not counted: ${countOf(gaps.late, 'scan')} from earlier days that arrived on this day.`] : []),
    `Times in ${zone.replaceAll('_', ' ')}.`,
  ];
  return [plainContext(settled(notes.join(' ')))];
}

function dayName({ date }: DaySpan): string {
  return DateTime.fromISO(date, { zone: 'utc', locale: 'en-US' }).toFormat('cccc, LLLL d');
}

function weekday({ date }: DaySpan): string {
  return DateTime.fromISO(date, { zone: 'utc', locale: 'en-US' }).toFormat('cccc');
}

function timeIn(at: number, zone: string): string {
  return DateTime.fromMillis(at, { zone, locale: 'en-US' }).toFormat('HH:mm');
}

function momentIn(at: number, zone: string): string {
  return DateTime.fromMillis(at, { zone, locale: 'en-US' }).toFormat('LLL d, HH:mm');
}
