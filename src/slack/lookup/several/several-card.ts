/** The card of several barcodes: a line for each, with its result and a button for its own card. Pure. */
import { z } from 'zod';
import { countOf } from '../../../english.js';
import { drawnAt, least, resultOfHeadline } from '../../../lookup/index.js';
import { resultInText } from '../../../scans/result-words.js';
import {
  actions,
  type Block,
  button,
  context,
  cut,
  divider,
  type Message,
  message,
  mrkdwn,
  plain,
  plainContext,
  type RichTextElement,
} from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import { barcodePlain, escaped, mrkdwnMomentAfter, richText, visible } from '../../block-kit/text.js';
import { encode, longest } from '../../bolt/metadata.js';
import { deletedLine } from '../card/as-of.js';
import { limitText } from '../card/barcode-hints.js';
import { cardData, shareButton } from '../card/card.js';
import { titleText } from '../card/title.js';
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

/** The most barcodes with a line between them: Slack takes 50 blocks of a message. */
const mostDivided = 12;

export function severalCard(stored: SeveralAnswer, options: SeveralOptions = {}): Message {
  const { now = stored.askedAt } = options;
  const lines = stored.lines.map((line) =>
    line.kind === 'answered' ? { ...line, headline: drawnAt(line.headline, now) } : line,
  );
  const answer = { ...stored, lines };
  const title = `${countOf(answer.lines.length, 'barcode')}: ${tally(answer.lines)}`;
  const oldestAt = least(lines.flatMap((line) => (line.kind === 'answered' ? (line.headline.dated?.at ?? []) : [])));
  const divides = lines.length <= mostDivided;
  return message(`${title}${oldestAt === undefined ? '' : mrkdwnMomentAfter(', as of ', oldestAt)}`, [
    { type: 'header', text: plain(cut(title, 150)) },
    ...answer.lines.flatMap((line) => [...(divides ? [divider] : []), ...lineBlocks(line, options)]),
    ...(divides ? [divider] : []),
    ...footnotes(answer, options),
    ...buttons(options),
  ]);
}

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
  if (line.kind !== 'answered' || line.headline.kind === 'not_checked') {
    return resultInText('not_validated');
  }
  return isToCheck(line) ? 'to check' : resultInText(resultOfHeadline[line.headline.kind]);
}

/** What has a tick needs no look, whether or not the account confirmed it. */
function isToCheck(line: SeveralLine): boolean {
  return line.kind === 'answered' && line.headline.kind !== 'not_checked' && line.headline.tone === 'unsure';
}

/** The most characters of a shown barcode, in which up to eight characters stand for an invisible one. */
const longestShown = 300;
const longestTitle = 120;

/** A barcode to the letter, and below it its result, as on its own card. */
function lineBlocks(line: SeveralLine, { sharedBy, thread }: SeveralOptions): Block[] {
  const { value } = line;
  const reading = line.kind === 'answered' ? line.reading : undefined;
  const symbology = line.kind === 'too_long' ? undefined : line.symbology;
  const openable = sharedBy === undefined && line.kind !== 'too_long';
  const open = () =>
    button('Open', 'lookup.open', { value: encode(cardData, { value, thread, symbology }, longest.button) });
  return [
    richText([barcodeLine(value), ...(reading === undefined ? [] : [' = ', barcodeLine(reading)])]),
    { type: 'section', text: mrkdwn(verdict(line)), ...(openable ? { accessory: open() } : {}) },
  ];
}

const barcodeLine = (value: string): RichTextElement => ({
  type: 'text',
  text: barcodeText(value).text,
  style: { code: true },
});

/** The barcode as it is typed: in quotes where it begins or ends with a space. */
export function barcodeText(value: string) {
  return value.trim() === value ? barcodePlain(value, longestShown) : plain(cut(`"${visible(value)}"`, longestShown));
}

function verdict(line: SeveralLine): string {
  switch (line.kind) {
    case 'answered':
      return [`*${titleText(line.headline, longestTitle)}*`, ...details(line)].join('\n');
    case 'no_calls':
      return '*⚠️ Not checked*';
    case 'failed':
      return `*⚠️ Not checked*\n${escaped(line.what)}`;
    case 'too_long':
      return `*⚠️ Not checked:* ${countOf(line.length, 'character')}; a barcode can have up to ${limitText(line.length)}`;
  }
}

/** A line's details: the scan's time, place and person; else the database, and its response. */
function details({ headline, why, scan, database, until }: AnsweredLine): string[] {
  const { name = '', response = '', others = 0 } = database ?? {};
  const inDatabase = `${escaped(shortName(name))}${others > 0 ? ` and ${others} more` : ''}`;
  return [
    ...(why === undefined || until !== undefined ? [] : [escaped(why)]),
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
        database && headline.kind !== 'disagree'
        ? [response === '' ? inDatabase : `${inDatabase}: ${escaped(response)}`]
        : []),
  ];
}

/** What a person can do about lines that are in doubt, once for all of them. */
function remedies(lines: readonly SeveralLine[], isShared: boolean): string[] {
  const quota = lines.find(
    (line) => line.kind === 'no_calls' || (line.kind === 'answered' && line.until !== undefined),
  );
  const { until, period } = (quota ?? {}) as Pick<AnsweredLine, 'until' | 'period'>;
  const untilText =
    until === undefined
      ? ''
      : mrkdwnMomentAfter(' until ', until, period === 'day' ? '{date_short_pretty} at {time}' : '{time}');
  return [
    ...(!isShared && lines.some(isToCheck) ? ['To check: press *Open*.'] : []),
    ...(quota
      ? [
          `No API calls left${period === 'day' ? ' today' : ''}${untilText}${isShared ? '.' : untilText === '' ? ': press *Refresh* later.' : ': press *Refresh* then.'}`,
        ]
      : []),
  ];
}

/** The most barcodes in a sentence: nobody reads one with more. */
const mostNamed = 10;

function footnotes({ lines: answered, leftOut, parted }: SeveralAnswer, options: SeveralOptions): Block[] {
  const leftOutText = leftOut.slice(0, mostNamed).map(visible).join(', ');
  const moreText = leftOut.length > mostNamed ? ` and ${leftOut.length - mostNamed} more` : '';
  const lines = [
    ...(leftOut.length > 0
      ? [`Up to ${mostBarcodes} barcodes at once. Left out: ${cut(leftOutText, 1_500)}${moreText}.`]
      : []),
    ...(parted && !options.sharedBy ? ['Wrongly split? Put the barcode in quotes.'] : []),
  ];
  const deletedSince = answered.flatMap((line) => (line.kind === 'answered' ? (line.scansAt ?? []) : []));
  const facts = [
    ...remedies(answered, options.sharedBy !== undefined),
    ...deletedLine(least(deletedSince)),
    ...(options.sharedBy ? [`Shared by <@${options.sharedBy}>`] : []),
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
