/**
 * The list of scans: one line each with result, time, service, user and device; response and answers below it.
 * Pure; text from outside is never read as markup.
 */
import type { types } from '@slack/bolt';
import { countOf } from '../../english.js';
import { type ScanSummary, type SeenScan, sameSpelling } from '../../lookup/index.js';
import { addsToResult, signedResult } from './describe-result.js';
import { cut, type RichText, type RichTextElement } from './elements.js';
import { shortName, shortText } from './short-text.js';
import {
  barcodeElement,
  bold,
  joined,
  type LinePart,
  linkElement,
  momentAfter,
  momentElement,
  richSection,
  textElement,
} from './text.js';

/** Length limits for one scan: Slack refuses messages of more than about 13,000 characters in all. */
export interface ScanLimits {
  readonly result: number;
  readonly answer: number;
  readonly answers: number;
}

export const defaultScanLimits: ScanLimits = { result: 300, answer: 120, answers: 4 };

/** The separator between a question and its answer: only a space where the question ends in `?` or `:`. */
export function afterQuestion(question: string): string {
  return /[?:]\s*$/.test(question) ? ' ' : ': ';
}

/** A link to the place on OpenStreetMap, which needs no account. The coordinates are the device's own digits. */
export function mapLink(place: NonNullable<SeenScan['place']>): RichTextElement {
  const [latitude, longitude] = place.text.split(', ').map((degrees) => degrees.replace('+', ''));
  return linkElement(
    `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`,
    'Map',
  );
}

function scanMoment(scan: SeenScan): RichTextElement {
  return scan.at === undefined ? textElement(`at “${shortName(scan.atText)}”`) : momentElement(scan.at);
}

/** The names of the scan's service, user and device, or their ids, as far as known. */
export function serviceUserDevice({ service, user, device }: Pick<SeenScan, 'service' | 'user' | 'device'>): string[] {
  const names = [service, user, device].map(({ name, id }) => name || id);
  return names.filter((name) => name !== '').map((name) => shortName(name));
}

function headLine(scan: SeenScan, searchedBarcode: string): LinePart[] {
  return [
    bold(signedResult(scan.status)),
    ' · ',
    scanMoment(scan),
    ...serviceUserDevice(scan).map((name) => ` · ${name}`),
    ...(scan.place ? [' · ', mapLink(scan.place)] : []),
    ...(sameSpelling(searchedBarcode, scan.value) ? [] : [' · scanned as ', barcodeElement(cut(scan.value, 110))]),
  ];
}

/** What a scan adds to a line that names its time and place already: its response and answers; none but `said`. */
export function scanDetails(scan: SeenScan, said: readonly string[], limits: ScanLimits): LinePart[] {
  const shownAnswers = scan.answers.slice(0, limits.answers);
  const answersLeft = scan.answers.length - shownAnswers.length;
  const parts: LinePart[][] = [
    ...(addsToResult(scan.result, signedResult(scan.status)) && !said.includes(scan.result)
      ? [[shortText(scan.result, limits.result)]]
      : []),
    ...shownAnswers.map(({ question, answer }) => [
      shortText(question, limits.answer, { italic: true }),
      afterQuestion(question),
      shortText(answer, limits.answer),
    ]),
    ...(answersLeft > 0 ? [[textElement(countOf(answersLeft, 'more answer'), { italic: true })]] : []),
  ];
  return joined(parts, ' · ');
}

function nestedList(indent: number, items: readonly (readonly LinePart[])[]): types.RichTextList {
  return {
    type: 'rich_text_list',
    style: 'bullet',
    indent,
    elements: items.map(richSection),
  };
}

/**
 * The lines of at least one scan. A barcode that is spelled otherwise than `searchedBarcode` is shown with its scan.
 * @param said responses that are shown already
 */
export function scanLines(
  scans: readonly SeenScan[],
  searchedBarcode: string,
  limits: ScanLimits = defaultScanLimits,
  said: readonly string[] = [],
): RichText {
  return {
    type: 'rich_text',
    elements: scans.flatMap((scan) => {
      const below = scanDetails(scan, said, limits);
      return [nestedList(0, [headLine(scan, searchedBarcode)]), ...(below.length > 0 ? [nestedList(1, [below])] : [])];
    }),
  };
}

/**
 * How often a barcode was scanned; where the card does not list them all, how many were valid, and when first and last.
 * @param days the age in days up to which scans were read; undefined: all were
 * @param listed how many scans are shown, with their results and times
 */
export function summaryLine(summary: ScanSummary, days?: number, listed = 0): LinePart[] {
  const span = days === undefined ? '' : ` in ${countOf(days, 'day')}`;
  if (summary.total === 0) {
    return [bold(days === undefined ? 'No scans.' : `No scan${span}.`)];
  }
  const isListed = summary.exact && listed === summary.total;
  return [bold(howOften(summary) + span), ...(isListed ? [] : [outcomesOf(summary), ...firstAndLast(summary)])];
}

function howOften({ total, exact }: ScanSummary): string {
  if (total === 1 && exact) {
    return 'Scanned once';
  }
  return exact ? `Scanned ${countOf(total, 'time')}` : `Scanned at least ${countOf(total, 'time')}`;
}

function outcomesOf({ read, total, exact, valid, invalid }: ScanSummary): string {
  const otherCount = read - valid - invalid;
  const parts = [
    ...(valid > 0 ? [`${figure(valid)} valid`] : []),
    ...(invalid > 0 ? [`${figure(invalid)} not valid`] : []),
    ...(otherCount > 0 ? [`${figure(otherCount)} not checked`] : []),
  ].join(', ');
  if (!exact || read < total) {
    return `; of the last ${figure(read)}: ${parts}`;
  }
  return total === 1 ? `: ${parts.replace('1 ', '')}` : `: ${parts}`;
}

function figure(count: number): string {
  return count.toLocaleString('en-US');
}

function firstAndLast({ firstAt, lastAt, total }: ScanSummary): LinePart[] {
  if (total < 2 || lastAt === undefined) {
    return [];
  }
  return [
    ...(firstAt === undefined ? [] : [' · ', momentAfter('first ', firstAt)]),
    ' · ',
    momentAfter('last ', lastAt),
  ];
}
