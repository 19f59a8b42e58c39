/**
 * The channel post of one scan: result, response, barcode, service, user, device, time, answers and properties. Every
 * outside text appears verbatim and has its own length limit. Pure.
 */
import { countOf } from '../../../english.js';
import { answerSeparator, isTestScan, type ReceivedScan, type Relay, testProperty } from '../../../relay/index.js';
import { placeOf, placeProperty } from '../../../scans/geo-location.js';
import { utcMoment } from '../../../scans/received/received-scan-rows.js';
import { addsToResult, signedResultOf } from '../../block-kit/describe-result.js';
import { type Message, message } from '../../block-kit/elements.js';
import { afterQuestion, mapLink } from '../../block-kit/scan-rows.js';
import { shortName, shortText } from '../../block-kit/short-text.js';
import {
  barcodeElement,
  bold,
  escaped,
  fallback,
  joined,
  type LinePart,
  momentAfter,
  momentElement,
  richText,
  textElement,
} from '../../block-kit/text.js';
import { defaultAppearance, type OptionalPart } from '../appearance/appearance.js';
import { earlierLine } from './earlier-line.js';

/** The account's names for a scan's ids; an unknown name is left out. */
export interface ScanNames {
  readonly service?: string;
  readonly user?: string;
  readonly device?: string;
}

export interface ScanPostInput {
  readonly scan: ReceivedScan;
  readonly relay: Pick<Relay, 'serviceIds' | 'serviceName'> & Partial<Pick<Relay, 'settings'>>;
  readonly names?: ScanNames;
  /** Names for the earlier admitted scan; set, also empty, where the post mentions earlier scans of its barcode. */
  readonly earlier?: ScanNames | undefined;
  readonly shows?: readonly OptionalPart[];
  readonly limits?: ScanPostLimits | undefined;
}

/** How much of each part is shown. Limits with plural names count items, all others count characters. */
export interface ScanPostLimits {
  readonly text: number;
  readonly answer: number;
  readonly answers: number;
  readonly property: number;
  readonly properties: number;
}

const usualLimits: ScanPostLimits = { text: 600, answer: 300, answers: 12, property: 120, properties: 12 };
/** The limits where the usual ones are too long for a message: they fit with a barcode of any length. */
export const tightLimits: ScanPostLimits = { text: 200, answer: 60, answers: 12, property: 40, properties: 12 };
/** The limits in a modal, where all that a request can hold is shown. */
export const amplestLimits: ScanPostLimits = {
  text: 3_000,
  answer: 3_000,
  answers: 500,
  property: 3_000,
  properties: 500,
};

/** The delay from which a post shows a scan as late, with both its times: uploads can be hours late. */
const lateMs = 5 * 60_000;

export function scanPost({ scan, relay, names = {}, earlier, shows, limits = usualLimits }: ScanPostInput): Message {
  const shownParts = shows ?? defaultAppearance.shows;
  const result = resultLabel(scan, relay);
  const lines: LinePart[][] = [
    [bold(result), ...(addsToResult(scan.text, result) ? [' · ', shortText(scan.text, limits.text)] : [])],
    [barcodeElement(scan.tid)],
    whereLine(scan, relay, names),
    ...(earlier ? [earlierLine(scan, placesOf(scan.earlier?.accepted ?? {}, relay, earlier))] : []).filter(
      (line) => line.length > 0,
    ),
    ...(shownParts.includes('answers') ? answerLines(scan, limits) : []),
    ...(shownParts.includes('properties') ? propertyLines(scan, limits) : []),
  ];
  return message(`${escaped(result)}: ${fallback(scan.tid)}`, [richText(...lines)]);
}

/** The result as an emoji, then words. */
export function resultLabel(scan: ReceivedScan, { settings }: ScanPostInput['relay']): string {
  const judges = (settings?.judging.kind ?? 'accept') !== 'accept';
  return isTestScan(scan) ? '🧪 Test scan' : signedResultOf(scan, judges);
}

/** The scan's service, person and device: by name, else by id. */
export function placesOf(
  { sid, userid, udid }: { readonly [Name in 'sid' | 'userid' | 'udid']?: string | undefined },
  relay: ScanPostInput['relay'],
  names: ScanNames,
): string[] {
  const only = relay.serviceIds.length === 1 && relay.serviceIds[0] === sid ? relay.serviceName : undefined;
  return [
    nameOf(names.service ?? only, 'service', sid),
    nameOf(names.user, 'user', userid),
    nameOf(names.device, 'device', udid),
  ].filter((name) => name !== undefined);
}

function whereLine(scan: ReceivedScan, relay: ScanPostInput['relay'], names: ScanNames): LinePart[] {
  const sources = placesOf(scan, relay, names);
  const place = placeOf(scan.properties);
  const at = scannedAt(scan);
  return [
    ...sources.map((name) => `${name} · `),
    momentElement(at, '{date_short_pretty} {time_secs}'),
    ...(isLate(scan) ? [momentAfter(', received ', scan.receivedAt, '{date_short_pretty} {time_secs}')] : []),
    ...(place ? [' · ', mapLink(place)] : []),
  ];
}

/** The account's name, else the id with its kind. */
export function nameOf(name: string | undefined, kind: string, id: string | undefined): string | undefined {
  if (name !== undefined && name !== '') {
    return shortName(name);
  }
  return id === undefined ? undefined : `unnamed ${kind} ${shortName(id)}`;
}

/** Whether something of the scan is left out, or cut. */
export function isShortened(scan: ReceivedScan): boolean {
  const { text, answer, answers, property, properties } = usualLimits;
  const shownProperty = shownProperties(scan);
  return (
    scan.text.length > text ||
    scan.answers.length > answers ||
    scan.answers.some((one) => one.answer.length > answer || (one.question?.length ?? 0) > answer) ||
    shownProperty.length > properties ||
    shownProperty.some(({ value }) => value.length > property)
  );
}

function answerLines({ answers }: ReceivedScan, limits: ScanPostLimits): LinePart[][] {
  const shownAnswers = answers
    .slice(0, limits.answers)
    .map(({ questionId, question = `Question ${questionId}`, answer }) => [
      shortText(question, limits.answer, { italic: true }),
      afterQuestion(question),
      shortText(answer.split(answerSeparator).join(', '), limits.answer),
    ]);
  return [...shownAnswers, ...moreLine(answers.length - shownAnswers.length, 'more answer')];
}

function shownProperties(scan: ReceivedScan): ReceivedScan['properties'] {
  return scan.properties
    .filter(({ name }) => name !== placeProperty || !placeOf(scan.properties))
    .filter(({ name }) => name !== testProperty || !isTestScan(scan))
    .filter((property) => !isRedundant(property));
}

function propertyLines(scan: ReceivedScan, limits: ScanPostLimits): LinePart[][] {
  const properties = shownProperties(scan);
  const shownList = properties.slice(0, limits.properties);
  const elements = shownList.map((property) => propertyElements(property, limits));
  return [
    ...(elements.length > 0 ? [joined(elements, ' · ')] : []),
    ...moreLine(properties.length - shownList.length, 'more property', 'more properties'),
  ];
}

type Property = ReceivedScan['properties'][number];

/** How the device read the barcode, in the device's terms. */
const captureProperty = 'capture_type';

/** Properties without use to a reader: the zone is for calculating times, and a camera is the usual reader. */
function isRedundant({ name, value }: Property): boolean {
  return name === 'time_zone' || (name === captureProperty && /camera/i.test(value));
}

function propertyElements({ name, value }: Property, limits: ScanPostLimits): LinePart[] {
  return name === captureProperty && value.toLowerCase() === 'manual entry'
    ? ['typed by hand']
    : [textElement(shortName(name), { italic: true }), ': ', shortText(value, limits.property)];
}

function moreLine(count: number, one: string, many?: string): LinePart[][] {
  return count > 0 ? [[textElement(`and ${countOf(count, one, many)}`, { italic: true })]] : [];
}

export function isLate(scan: ReceivedScan): boolean {
  return scan.late === true || scan.receivedAt - scannedAt(scan) >= lateMs;
}

/** The scan time that the device sent if it can be parsed, else the time received. */
export function scannedAt({ scannedAtUtc, receivedAt }: ReceivedScan): number {
  return utcMoment(scannedAtUtc) ?? receivedAt;
}
