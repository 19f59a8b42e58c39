/** The card of several barcodes: a line for each, with its result and a button for its own card. Pure. */
import { z } from 'zod';
import { countOf } from '../../../english.js';
import { defaultGreenMs, type HeadlineKind, least } from '../../../lookup/index.js';
import { resultInText } from '../../../scans/result-words.js';
import {
  actions,
  type Block,
  button,
  context,
  cut,
  type Message,
  message,
  mrkdwn,
  plain,
  plainContext,
  type Section,
} from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import { barcodePlain, escaped, mrkdwnMomentAfter, visible } from '../../block-kit/text.js';
import { encode, longest } from '../../bolt/metadata.js';
import { ageLine, deletedLine } from '../card/as-of.js';
import { cardData, shareButton } from '../card/card.js';
import { titleText } from '../card/title.js';
import { longestBarcode } from '../parse-barcodes.js';
import { mostBarcodes } from '../resolve-barcodes.js';
import type { AnsweredLine, SeveralAnswer, SeveralLine } from './record-store.js';

/** The data of the card's buttons: the stored answer's id, and the thread as in `cardData`. */
export const severalData = z.object({ kept: z.string(), thread: z.string().optional() });

export interface SeveralOptions {
  /** The stored answer's id; undefined: the card as a whole has no buttons. */
  readonly kept?: string | undefined;
  /** Slack user id of the person who shares the card with a channel; a shared card has no buttons. */
  readonly sharedBy?: string;
  readonly wasShared?: boolean;
  /** The thread where the answer may be shared: see `shareButton`. */
  readonly thread?: string | undefined;
  /** When the card is drawn; by default, when its barcodes were looked up. */
  readonly now?: number;
}

export function severalCard(stored: SeveralAnswer, options: SeveralOptions = {}): Message {
  const answer = { ...stored, lines: stored.lines.map((line) => agedLine(line, stored, options.now)) };
  const title = `${countOf(answer.lines.length, 'barcode')}: ${tally(answer.lines)}`;
  const times = [answer.asOf?.values, answer.asOf?.scans].flatMap((at) => at ?? []);
  const asOf = times.length > 0 ? mrkdwnMomentAfter(', as of ', Math.min(...times)) : '';
  return message(`${title}${asOf}`, [
    { type: 'header', text: plain(cut(title, 150)) },
    ...answer.lines.map((line) => lineBlock(line, options)),
    ...footnotes(answer, options),
    ...buttons(options),
  ]);
}

/** A line that is drawn later than it was looked up: with its age, and not green once it is too old. */
function agedLine(line: SeveralLine, answer: SeveralAnswer, now = answer.askedAt): SeveralLine {
  const { asOf, askedAt, greenMs = defaultGreenMs } = answer;
  const times = [asOf?.values, asOf?.scans].flatMap((time) => time ?? []);
  const at = Math.min(askedAt, ...times);
  if (line.kind !== 'answered' || line.headline === 'not_checked' || now - askedAt < minuteMs) {
    return line;
  }
  const { before, at: datedAt, after } = line.dated ?? { before: `${line.title}, `, at, after: '' };
  const isOld = line.tone === 'good' && now - datedAt >= greenMs;
  const dated = { before, at: datedAt, after: isOld ? ', not confirmed' : after };
  return { ...line, dated, ...(isOld ? { tone: 'unsure' } : {}) };
}

/** The tally's word for a barcode that somebody has to check. */
const toCheckText = 'to check';
const validText = resultInText('valid');

const wordByHeadline: Readonly<Record<HeadlineKind, string>> = {
  not_checked: resultInText('not_validated'),
  disagree: toCheckText,
  not_valid: resultInText('invalid'),
  used: resultInText('used'),
  refused: toCheckText,
  scanned: validText,
  no_admission: validText,
  elsewhere: toCheckText,
  incomplete: toCheckText,
  not_confirmed: toCheckText,
  unknown: resultInText('unknown'),
};

/** How many barcodes have which result: `2 valid, 1 already used`. */
function tally(lines: readonly SeveralLine[]): string {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const word = tallyWord(line);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
}

function tallyWord(line: SeveralLine): string {
  if (line.kind !== 'answered') {
    return wordByHeadline.not_checked;
  }
  const word = wordByHeadline[line.headline];
  return word === validText && (line.tone !== 'good' || line.uncheckedSince !== undefined) ? toCheckText : word;
}

/** The most characters of a shown barcode, in which up to eight characters stand for an invisible one. */
const longestShown = 300;
const longestTitle = 120;
const minuteMs = 60_000;

/** A barcode's line in two columns, which a phone stacks: the barcode to the letter, and its result. */
function lineBlock(line: SeveralLine, { sharedBy, thread }: SeveralOptions): Section {
  const { value } = line;
  const reading = line.kind === 'answered' ? line.reading : undefined;
  const symbology = line.kind === 'too_long' ? undefined : line.symbology;
  const openable = sharedBy === undefined && line.kind !== 'too_long';
  return {
    type: 'section',
    fields: [
      reading === undefined ? barcodeText(value) : plain(`${barcodeText(value).text} = ${barcodeText(reading).text}`),
      mrkdwn(verdict(line)),
    ],
    ...(openable
      ? {
          accessory: button('Open', 'lookup.open', {
            value: encode(cardData, { value, thread, symbology }, longest.button),
          }),
        }
      : {}),
  };
}

/** The barcode as it is typed: in quotes where it begins or ends with a space. */
export function barcodeText(value: string) {
  return value.trim() === value ? barcodePlain(value, longestShown) : plain(cut(`"${visible(value)}"`, longestShown));
}

function verdict(line: SeveralLine): string {
  switch (line.kind) {
    case 'answered':
      return [`*${titleText({ ...line, kind: line.headline }, longestTitle)}*`, ...details(line)].join('\n');
    case 'no_calls':
      return `*⚠️ Not checked:* no calls left${line.period === 'day' ? ' today' : ''}${untilText(line)}`;
    case 'failed':
      return `*⚠️ Not checked*\n${escaped(line.what)}`;
    case 'too_long':
      return `*⚠️ Not checked:* ${countOf(line.length, 'character')}; a barcode can have up to ${longestBarcode}`;
  }
}

function untilText({ until, period }: Extract<SeveralLine, { kind: 'no_calls' }>): string {
  return until === undefined
    ? ''
    : mrkdwnMomentAfter(' until ', until, period === 'day' ? '{date_short_pretty} at {time}' : '{time}');
}

/** A line's details: the scan's time, place and person; else the database, and its response. */
function details({ headline, why, scan, database, uncheckedSince }: AnsweredLine): string[] {
  const { name = '', response = '', others = 0 } = database ?? {};
  const inDatabase = `In ${escaped(shortName(name))}${others > 0 ? ` and ${others} more` : ''}`;
  return [
    ...(why === undefined ? [] : [escaped(why)]),
    ...(scan
      ? [
          [
            scan.at === undefined
              ? `${scan.label} at “${escaped(shortName(scan.atText))}”`
              : mrkdwnMomentAfter(`${scan.label} `, scan.at, '{date_short_pretty} at {time}'),
            ...scan.by.map((each) => escaped(each)),
          ].join(' · '),
        ]
      : // If databases disagree, the title already names them.
        database && headline !== 'disagree'
        ? [response === '' ? inDatabase : `${inDatabase}: ${escaped(response)}`]
        : []),
    ...(uncheckedSince === undefined
      ? []
      : [`${mrkdwnMomentAfter('Known as of ', uncheckedSince)}, not confirmed since.`]),
  ];
}

/** The most barcodes in a sentence: nobody reads one with more. */
const mostNamed = 10;

function footnotes(
  { lines: answered, leftOut, parted, asOf, askedAt }: SeveralAnswer,
  options: SeveralOptions,
): Block[] {
  const leftOutText = leftOut.slice(0, mostNamed).map(visible).join(', ');
  const moreText = leftOut.length > mostNamed ? ` and ${leftOut.length - mostNamed} more` : '';
  const lines = [
    ...(leftOut.length > 0
      ? [`Up to ${mostBarcodes} barcodes at once. Left out: ${cut(leftOutText, 1_500)}${moreText}.`]
      : []),
    ...(parted && !options.sharedBy
      ? ['Something split that belongs together? Put the barcode in quotes to keep its spaces and commas.']
      : []),
  ];
  const deletedSince = answered.flatMap((line) => (line.kind === 'answered' ? (line.scansAt ?? []) : []));
  const facts = [
    ...ageLine(asOf, askedAt, false),
    ...deletedLine(least(deletedSince)),
    ...(options.sharedBy ? [`Shared by <@${options.sharedBy}>, ${mrkdwnMomentAfter('as of ', askedAt)}`] : []),
    ...(options.wasShared ? ['You shared this here.'] : []),
  ];
  return [...(lines.length > 0 ? [plainContext(...lines)] : []), ...(facts.length > 0 ? [context(...facts)] : [])];
}

function buttons({ kept, sharedBy, wasShared, thread }: SeveralOptions): Block[] {
  if (kept === undefined || sharedBy) {
    return [];
  }
  const value = encode(severalData, { kept, thread }, longest.button);
  return [
    actions([
      ...(wasShared ? [] : shareButton('lookup.several.share', value, thread)),
      button('Refresh', 'lookup.several.again', { value }),
    ]),
  ];
}
