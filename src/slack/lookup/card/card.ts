/**
 * The lookup card: headline, answers, last scans and buttons. A card too long for Slack's message size is drawn with
 * tighter limits. Pure.
 */
import { z } from 'zod';
import { countOf, plural } from '../../../english.js';
import { type Headline, headlineOf, type Lookup, type RemainingCalls } from '../../../lookup/index.js';
import { signs } from '../../block-kit/describe-result.js';
import {
  actions,
  type Block,
  type Button,
  button,
  context,
  divider,
  type Message,
  message,
  plainContext,
} from '../../block-kit/elements.js';
import { fitsMessage } from '../../block-kit/message-size.js';
import { defaultScanLimits, scanLines, summaryLine } from '../../block-kit/scan-rows.js';
import { barcodeElement, bold, fallback, type LinePart, mrkdwnMomentAfter, richText } from '../../block-kit/text.js';
import { encode, longest } from '../../bolt/metadata.js';
import type { Topic } from '../../bolt/routing/context.js';
import { tellButton } from '../../lent/thing-lines.js';
import { isLentList } from '../../lent/things.js';
import type { BarcodePlace } from '../barcode-places.js';
import { type CardChange, maxScansOnCard } from '../record-store.js';
import { ageLine, copyingLine, deletedLine, deletedSinceOf } from './as-of.js';
import { changeBlock, changeElements, tooLongLine, undoButton } from './card-changes.js';
import { checkDigitHint, exactnessHint, separatorHint } from './exactness-hint.js';
import { failureLine, sameFailure } from './failure-line.js';
import { gs1Blocks } from './gs1-blocks.js';
import { type AnswerLimits, answerBlocks, namesOf, saidBy } from './lookup-answer.js';
import { placeBlocks } from './place-lines.js';
import { suggestionBlocks } from './suggestion-blocks.js';
import { titleBlocks, titleText } from './title.js';

/**
 * The data of the card's buttons. `spellings`: the databases' spellings, which scans may have. `kept`: the stored
 * card's id; without it, a button looks the barcode up again. `thread`: see `shareButton`. `symbology`: see `Lookup`.
 */
export const cardData = z.object({
  value: z.string(),
  spellings: z.array(z.string()).optional(),
  kept: z.string().optional(),
  thread: z.string().optional(),
  symbology: z.string().optional(),
});

export type CardData = z.output<typeof cardData>;

/** The barcode that an error's answer repeats, and the button that looks the barcode up again. */
export function topicOf({ value, symbology }: Pick<CardData, 'value' | 'symbology'>, label = 'Try again'): Topic {
  return { barcode: value, again: button(label, 'lookup.again', { value: cardValue({ value, symbology }) }) };
}

function cardValue(data: CardData): string {
  return encode(cardData, data, longest.button);
}

/** How much the card shows of each part. */
interface CardLimits extends AnswerLimits {
  readonly scans: number;
}

const defaultLimits: CardLimits = { ...defaultScanLimits, responses: 3_000, scans: maxScansOnCard, similar: 5 };
const tightLimits: CardLimits = { result: 100, answer: 50, answers: 0, responses: 1_000, scans: 2, similar: 1 };

export interface CardOptions {
  /** The data of the buttons; undefined: the card has no buttons. */
  readonly data?: CardData;
  /** Whether the reader may change values; only a stored card can be changed. */
  readonly mayChange?: boolean;
  /** Whether adding the barcode lets it in: see `walkUpChoices`. */
  readonly walkUp?: boolean;
  /** The last edit made from the card. */
  readonly change?: CardChange | undefined;
  /** Slack user id of the person who shares the card with a channel. */
  readonly sharedBy?: string;
  /** The barcode's places, by the workspace's lists. */
  readonly places?: readonly BarcodePlace[];
  /** Whether the reader has just shared the card. */
  readonly wasShared?: boolean;
  /** When the card is drawn; by default, when it was looked up. */
  readonly now?: number;
}

export function lookupCard(lookup: Lookup, options: CardOptions = {}): Message {
  const headline = headlineOf(lookup, options.now);
  // A card without buttons names the account's similar values in its text.
  const suggestions = options.data ? lookup.suggestions : undefined;
  const blocks = (limits: CardLimits): Block[] => [
    richText([barcodeElement(lookup.value)], ...readingLine(lookup)),
    ...titleBlocks(headline),
    ...answerBlocks(lookup, headline, suggestions ? { ...limits, similar: 0 } : limits),
    ...gs1Blocks(lookup),
    ...(suggestions
      ? suggestionBlocks(suggestions, lookup.value, (value) => cardValue({ value, thread: options.data?.thread }))
      : []),
    ...belowDivider([...placeBlocks(options.places ?? [], lookup.askedAt), ...historyBlocks(lookup, headline, limits)]),
    ...footnotes(lookup, headline, options),
    ...(options.change ? [changeBlock(options.change)] : []),
    ...buttons(lookup, headline, options, limits.scans),
  ];
  const fullBlocks = blocks(defaultLimits);
  return message(
    `${fallback(lookup.value)}: ${titleText(headline)}`,
    fitsMessage(fullBlocks) ? fullBlocks : blocks(tightLimits),
  );
}

const belowDivider = (blocks: readonly Block[]): Block[] => (blocks.length > 0 ? [divider, ...blocks] : []);

/** What was looked up, where the card is that of an equal reading. */
function readingLine({ reading, value, findings }: Lookup): LinePart[][] {
  const held = findings.find((finding) => finding.kind === 'known')?.value;
  if (reading && reading.typed === value && held !== undefined) {
    return [[`In the database ${reading.kind === 'article' ? 'by its article' : 'as'} `, barcodeElement(held), '.']];
  }
  return reading
    ? [
        [
          reading.kind === 'article' ? 'The article in ' : 'The same barcode as ',
          barcodeElement(reading.typed),
          ', which no database has as written',
          reading.scans > 0 ? ` and was scanned ${countOf(reading.scans, 'time')}, never as valid.` : '.',
        ],
      ]
    : [];
}

/** The scans, without the deciding one, which the answer shows. */
function historyBlocks(lookup: Lookup, headline: Headline, limits: CardLimits): Block[] {
  const { history, value } = lookup;
  const otherScans = history.scans.filter((scan) => scan !== headline.scan?.scan);
  const shownScans = otherScans.slice(0, limits.scans);
  const head = headElements(lookup, headline, shownScans.length, history.scans.length - otherScans.length);
  return [
    ...(head.length > 0 ? [richText(head)] : []),
    ...(shownScans.length > 0 ? [scanLines(shownScans, value, limits, saidBy(lookup, headline))] : []),
    ...(otherScans.length > shownScans.length ? [context(`Showing the last ${shownScans.length}.`)] : []),
  ];
}

/** The line above the list: what the list and the answer do not say themselves. */
function headElements({ history, findings }: Lookup, headline: Headline, shown: number, titled: number): LinePart[] {
  if (history.kind === 'failed') {
    return findings.some((finding) => finding.kind === 'failed' && sameFailure(finding.failure, history.failure))
      ? [bold(`${signs.unsure} The account’s scans could not be loaded either.`)]
      : [bold(`${signs.unsure} The account’s scans could not be loaded: `), ...failureLine(history.failure, true)];
  }
  const { summary, days } = history;
  if (summary.total === 0 && headline.kind === 'no_admission') {
    return [];
  }
  if (summary.exact && days === undefined && summary.total === shown + titled) {
    if (titled > 0) {
      return shown === 0 ? [] : [bold(countOf(shown, 'other scan'))];
    }
    if (shown === 1) {
      return [];
    }
  }
  return summaryLine(summary, days, shown + titled);
}

/** Hints, and one line of what is as old or as short as it is. */
function footnotes(lookup: Lookup, headline: Headline, options: CardOptions): Block[] {
  const { notAsked, callsLeft } = lookup;
  const hints = [
    ...(notAsked && notAsked.length > 0
      ? [
          `Not searched: ${namesOf(notAsked.map((database) => database.name))}. An admin can change this with /scandesk connect.`,
        ]
      : []),
    ...(notAsked === undefined ? ['The account’s other databases could not be listed.'] : []),
    ...(options.sharedBy ? [] : [...exactnessHint(lookup), ...checkDigitHint(lookup)]),
    ...separatorHint(lookup),
  ];
  const tooLong = changeableCardId(options) === undefined ? undefined : tooLongLine(lookup);
  // What was not checked has no age in its title.
  const { now = lookup.askedAt } = options;
  const isUndated = headline.dated === undefined && now - lookup.askedAt >= 60_000;
  const callsLeftText = options.sharedBy || isOutOfCalls(lookup) ? undefined : callsLeftLine(callsLeft, lookup.cost);
  const lines = [
    ...ageLine(lookup, headline.dated?.at),
    ...deletedLine(deletedSinceOf(lookup, headline, now)),
    ...(options.sharedBy
      ? [`Shared by <@${options.sharedBy}>${isUndated ? mrkdwnMomentAfter(', as of ', lookup.askedAt) : ''}`]
      : copyingLine(lookup, headline)),
    ...(callsLeftText ? [callsLeftText] : []),
    ...(options.wasShared ? ['You shared this here.'] : []),
  ];
  return [
    ...(hints.length > 0 ? [plainContext(...hints)] : []),
    ...(tooLong ? [context(tooLong)] : []),
    ...(lines.length > 0 ? [context(...lines)] : []),
  ];
}

/** With this many calls left in the minute, or fewer, the warning is shown, whatever the lookup costs. */
const fewInAMinute = 5;
const fewInADay = 50;

/** The warning that calls run out, as mrkdwn; undefined while plenty are left. `cost`: the calls of the same lookup. */
export function callsLeftLine({ minute, day }: RemainingCalls, cost: number): string | undefined {
  if (day.left !== undefined && day.left <= Math.max(fewInADay, cost)) {
    return `${callsLeft(day.left, day.limit)} today; ${mrkdwnMomentAfter('resets ', day.resetsAt, '{date_short_pretty} at {time}')}.`;
  }
  if (minute.left !== undefined && minute.left <= Math.max(fewInAMinute, cost)) {
    return `${callsLeft(minute.left, minute.limit)} this minute; ${mrkdwnMomentAfter('resets at ', minute.resetsAt, '{time_secs}')}.`;
  }
  return undefined;
}

function callsLeft(calls: number, limit: number | undefined): string {
  const limitText = limit === undefined ? '' : ` of ${limit.toLocaleString('en-US')}`;
  return `${Math.max(0, calls).toLocaleString('en-US')}${limitText} API ${limitText ? 'calls' : plural(calls, 'call')} left for the whole account`;
}

/** The stored card's id, where the reader may change it. */
function changeableCardId({ data, mayChange }: CardOptions): string | undefined {
  return mayChange ? data?.kept : undefined;
}

function buttons(lookup: Lookup, headline: Headline, options: CardOptions, shownCount: number): Block[] {
  const { data, change, wasShared } = options;
  if (!data) {
    return [];
  }
  const value = cardValue(data);
  const card = changeableCardId(options);
  const { history } = lookup;
  const out = options.places?.find(({ list, place }) => isLentList(list) && !place.inside);
  // Older scans than were read are worth a look where there are any, or where one could change the answer.
  const isOlderWanted = history.scans.length > 0 || headline.doubt === 'history_incomplete';
  const isReadable = history.kind === 'read' && (history.more || (history.days !== undefined && isOlderWanted));
  const otherScans = history.scans.filter((scan) => scan !== headline.scan?.scan);
  const isAllShown = otherScans.length <= shownCount;
  const hasMore = isReadable || !isAllShown;
  const elements = [
    ...(card === undefined ? [] : undoButton(change, value)),
    ...(wasShared ? [] : shareButton('lookup.share', value, data.thread)),
    ...againButton(lookup, value),
    ...(out ? [tellButton(out.list.id, out.place)] : []),
    ...(hasMore ? [button(isAllShown ? 'Older scans' : 'All scans', 'lookup.scans', { value })] : []),
    ...(card === undefined ? [] : changeElements(lookup, card, options.walkUp)),
  ];
  return elements.length > 0 ? [actions(elements)] : [];
}

/** A `thread` for the app's own conversation: there is nobody to share the answer with. */
export const noThread = 'none';

/** The button *Share here*. `thread`: the thread of the message that a shared card answers. */
export function shareButton(actionId: string, value: string, thread: string | undefined): Button[] {
  return thread === noThread
    ? []
    : [button(thread === undefined ? 'Share here' : 'Reply in thread', actionId, { value })];
}

function againButton(lookup: Lookup, value: string): Button[] {
  const label = isPartial(lookup) ? 'Try again' : lookup.greenMs !== undefined ? 'Refresh' : undefined;
  return label === undefined ? [] : [button(label, 'lookup.again', { value })];
}

/** Whether a part failed and may work on a retry. */
function isPartial({ findings, history, notAsked, lists }: Lookup): boolean {
  const failed = [history, ...findings].some(({ kind }) => kind === 'failed');
  return failed || notAsked === undefined || lists.services?.whole === false;
}

/** Whether calls ran out: a line of the card already says so. */
function isOutOfCalls({ findings, history }: Lookup): boolean {
  const why = [history, ...findings].flatMap((part) => (part.kind === 'failed' ? [part.failure] : []));
  return why.some(({ code, quota }) => code === 'account.quota' && quota !== undefined);
}
