/**
 * Owns the post that a channel sees of one scan: the result first, then the barcode as it is, who, where and when, what was
 * answered, what else the device told. Pure; every outside text is shown letter by letter and in a room of its own.
 */
import { placeOf, placeProperty } from '../../../lookup/scans/place.js';
import { answerSeparator, isTestScan, type ReceivedScan, type Relay, testProperty } from '../../../relay/index.js';
import { utcMoment } from '../../../relay/scans/table.js';
import { resultOf, saysMore } from '../../block-kit/describe-result.js';
import { type Message, message, type RichTextElement } from '../../block-kit/elements.js';
import { afterQuestion, mapLink } from '../../block-kit/scan-rows.js';
import { shortText } from '../../block-kit/short-text.js';
import {
  barcodeElement,
  bold,
  escaped,
  fallback,
  momentAfter,
  momentElement,
  richText,
  textElement,
} from '../../block-kit/text.js';
import { countOf, shortName } from '../../block-kit/verdict.js';
import { earlierLine } from './earlier-line.js';

/** The account's names for what a scan tells by id; left out where nobody knows them. */
export interface ScanNames {
  readonly service?: string;
  readonly user?: string;
  readonly device?: string;
}

export interface ScanPostInput {
  readonly scan: ReceivedScan;
  readonly relay: Pick<Relay, 'serviceIds' | 'serviceName'> & Partial<Pick<Relay, 'settings'>>;
  readonly names?: ScanNames;
  /** It is told with the scans of its barcode before it: the names of the one that was accepted. */
  readonly earlier?: ScanNames | undefined;
}

/** What fits one message beside a barcode of any length, and what a person reads of a post. */
const room = { text: 600, answer: 300, answers: 12, property: 120, properties: 12 } as const;

/** A scan that came later than this after it was made says so: uploads can be hours late. */
const lateMs = 5 * 60_000;

export function scanPost({ scan, relay, names = {}, earlier }: ScanPostInput): Message {
  const judges = (relay.settings?.judging.kind ?? 'accept') !== 'accept';
  const result = isTestScan(scan) ? '🧪 Test scan' : resultOf(scan, judges);
  const lines: RichTextElement[][] = [
    [bold(result), ...(saysMore(scan.text, result) ? [textElement(' · '), shortText(scan.text, room.text)] : [])],
    [barcodeElement(scan.tid)],
    whereLine(scan, relay, names),
    ...(earlier ? [earlierLine(scan, placesOf(scan.earlier?.accepted ?? {}, relay, earlier))] : []).filter(isThere),
    ...answerLines(scan),
    ...propertyLines(scan),
  ];
  return message(`${escaped(result)}: ${fallback(scan.tid)}`, [richText(asOneParagraph(lines))]);
}

function isThere(line: readonly RichTextElement[]): boolean {
  return line.length > 0;
}

/** The service, who, on what: by name, else by id. */
function placesOf(
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

function whereLine(scan: ReceivedScan, relay: ScanPostInput['relay'], names: ScanNames): RichTextElement[] {
  const told = placesOf(scan, relay, names);
  const place = placeOf(scan.properties);
  const at = scannedAt(scan);
  const late = scan.late === true || scan.receivedAt - at >= lateMs;
  return [
    ...told.map((name) => textElement(`${name} · `)),
    momentElement(at, '{date_short_pretty} {time_secs}'),
    ...(late ? [momentAfter(', received ', scan.receivedAt, '{date_short_pretty} {time_secs}')] : []),
    ...(place ? [textElement(' · '), mapLink(place)] : []),
  ];
}

/** The account's name, else what kind of id it is. */
export function nameOf(name: string | undefined, kind: string, id: string | undefined): string | undefined {
  if (name !== undefined && name !== '') {
    return shortName(name);
  }
  return id === undefined ? undefined : `${kind} ${shortName(id)}`;
}

function answerLines({ answers }: ReceivedScan): RichTextElement[][] {
  const shown = answers
    .slice(0, room.answers)
    .map(({ questionId, question = `Question ${questionId}`, answer }) => [
      shortText(question, room.answer, { italic: true }),
      textElement(afterQuestion(question)),
      shortText(answer.split(answerSeparator).join(', '), room.answer),
    ]);
  return [...shown, ...rest(answers.length - shown.length, 'more answer')];
}

function propertyLines(scan: ReceivedScan): RichTextElement[][] {
  const properties = scan.properties
    .filter(({ name }) => name !== placeProperty || !placeOf(scan.properties))
    .filter(({ name }) => name !== testProperty || !isTestScan(scan))
    .filter((property) => !isUsual(property));
  const shown = properties.slice(0, room.properties);
  const line = shown.flatMap((property, at) => [
    ...(at === 0 ? [] : [textElement(' · ')]),
    ...propertyElements(property),
  ]);
  return [
    ...(line.length > 0 ? [line] : []),
    ...rest(properties.length - shown.length, 'more property', 'more properties'),
  ];
}

type Property = ReceivedScan['properties'][number];

/** How the barcode came into the device, in the device's words. */
const captureProperty = 'capture_type';

/** What says nothing to whoever reads: the zone is for reckoning times, and a camera is how barcodes are read. */
function isUsual({ name, value }: Property): boolean {
  return name === 'time_zone' || (name === captureProperty && /camera/i.test(value));
}

function propertyElements({ name, value }: Property): RichTextElement[] {
  return name === captureProperty && value.toLowerCase() === 'manual entry'
    ? [textElement('typed by hand')]
    : [textElement(shortName(name), { italic: true }), textElement(': '), shortText(value, room.property)];
}

function rest(count: number, one: string, many?: string): RichTextElement[][] {
  return count > 0 ? [[textElement(`and ${countOf(count, one, many)}`, { italic: true })]] : [];
}

/** Slack sets sections that follow each other on one line unless a line break is between. */
export function asOneParagraph(lines: readonly (readonly RichTextElement[])[]): RichTextElement[] {
  return lines.flatMap((line, at) => (at === 0 ? line : [textElement('\n'), ...line]));
}

/** When the device says it was scanned, where it says so in a way that can be read. */
function scannedAt({ scannedAtUtc, receivedAt }: ReceivedScan): number {
  return utcMoment(scannedAtUtc) ?? receivedAt;
}
