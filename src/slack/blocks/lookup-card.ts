/**
 * Owns the card that answers a lookup: the verdict, the barcode, what each database says, the last scans, and what the
 * answer does not cover. Pure. Keeps within what Slack takes in one message (50 blocks; about 13,000 characters in all,
 * which Slack does not document but answers with `msg_blocks_too_long`), however much the account sends.
 */
import type { types } from '@slack/bolt';
import type { Lookup } from '../../desk/index.js';
import type { CardChange } from '../card-change.js';
import { actionIds } from '../ids.js';
import { callsLeftLine } from './calls-left.js';
import { changeBlock, changeElements, tooLongLine, undoButton } from './card-changes.js';
import { exactnessHint } from './exactness-hint.js';
import { failureLine, sameFailure } from './failure-line.js';
import {
  actions,
  type Block,
  button,
  type Context,
  context,
  cut,
  divider,
  type Message,
  message,
  plain,
  type RichText,
  type RichTextElement,
} from './kit.js';
import { ampleRoom, type ScanRoom, scanLines, summaryLine } from './scan-lines.js';
import { shortText } from './short-text.js';
import { barcodeElement, bold, escaped, fallback, momentSaidAfter, richSection, textElement } from './text.js';
import { countOf, shortName, signs, verdictSentence } from './verdict.js';

/** So many of the last scans are on the card; the others are behind *More scans*. */
export const scansOnCard = 5;

/** Slack's limit of about 13,000 with room for what the letters are wrapped in. */
const mostLetters = 11_000;

/** How much of everything is shown. `responses`: all together, since each may be 3,000 long and there may be ten. */
interface Room extends ScanRoom {
  readonly responses: number;
  readonly scans: number;
  readonly similar: number;
}

const ample: Room = { ...ampleRoom, responses: 3_000, scans: scansOnCard, similar: 5 };
const tight: Room = { result: 100, answer: 50, answers: 0, responses: 1_000, scans: 2, similar: 1 };

/** More names than these make a sentence nobody reads. */
const mostNames = 10;

export interface CardOptions {
  /** What the buttons carry; none where the card has no buttons. */
  readonly buttonValue?: string;
  /** The id under which the card is kept, for whoever may change things from it. */
  readonly changeable?: string;
  /** What was last done from it. */
  readonly change?: CardChange | undefined;
  /** Slack user id: this person shares it with a channel. */
  readonly sharedBy?: string;
  /** The person who reads it has just shared it. */
  readonly wasShared?: boolean;
}

export function lookupCard(lookup: Lookup, options: CardOptions = {}): Message {
  const sentence = verdictSentence(lookup);
  const blocks = (room: Room): Block[] => [
    { type: 'header', text: plain(cut(sentence, 150)) },
    findingsBlock(lookup, room),
    divider,
    ...historyBlocks(lookup, room),
    ...footnotes(lookup, options),
    ...(options.change ? [changeBlock(options.change)] : []),
    ...buttons(lookup, options, room.scans),
  ];
  const amply = blocks(ample);
  return message(
    `${escaped(sentence)}: ${fallback(lookup.value)}`,
    lettersIn(amply) <= mostLetters ? amply : blocks(tight),
  );
}

/** Every text of ours and theirs; keys and types left out. */
function lettersIn(part: unknown): number {
  if (typeof part !== 'object' || part === null) {
    return 0;
  }
  return Object.entries(part).reduce(
    (sum, [key, value]) => sum + (key === 'text' && typeof value === 'string' ? value.length : lettersIn(value)),
    0,
  );
}

type Part = RichText['elements'][number];

/** Lines of one paragraph: Slack sets sections that follow each other on one line unless a line break is between. */
function paragraph(...lines: readonly (readonly RichTextElement[])[]): Part[] {
  const elements = lines.flatMap((line, index) => (index === 0 ? line : [textElement('\n'), ...line]));
  return lines.length > 0 ? [richSection(elements)] : [];
}

function quote(text: string, longest: number): types.RichTextQuote {
  return { type: 'rich_text_quote', elements: [shortText(text, longest)] };
}

type Finding = Lookup['findings'][number];
type Known = Extract<Finding, { kind: 'known' }>;

function findingsBlock(lookup: Lookup, room: Room): RichText {
  const known = lookup.findings.filter((finding) => finding.kind === 'known');
  const longest = Math.floor(room.responses / Math.max(1, known.length));
  return {
    type: 'rich_text',
    elements: [
      ...paragraph([textElement('Barcode '), barcodeElement(lookup.value)]),
      ...known.flatMap((finding) => [
        ...(known.length > 1 || finding.value !== lookup.value ? paragraph(knownLine(finding, lookup.value)) : []),
        ...(finding.response === '' ? [] : [quote(finding.response, longest)]),
      ]),
      ...paragraph(...absentLines(lookup.findings, room.similar), ...failedLines(lookup.findings)),
    ],
  };
}

function knownLine(finding: Known, asked: string): RichTextElement[] {
  return [
    textElement(finding.valid ? `${signs.valid} Valid in ` : `${signs.invalid} Not valid in `),
    bold(shortName(finding.database.name)),
    ...(finding.value === asked ? [] : [textElement(', which spells it '), barcodeElement(cut(finding.value, 110))]),
  ];
}

function absentLines(findings: readonly Finding[], mostSimilar: number): RichTextElement[][] {
  const absent = findings.filter((finding) => finding.kind === 'unknown');
  const plainly = absent.filter((finding) => finding.similar.length === 0);
  return [
    ...(plainly.length > 0 ? [[textElement(`Not in ${names(plainly.map((f) => f.database.name))}.`)]] : []),
    ...absent
      .filter((finding) => finding.similar.length > 0)
      .map((finding) => [
        textElement(`Not in ${shortName(finding.database.name)}, which has `),
        ...finding.similar
          .slice(0, mostSimilar)
          .flatMap((value, index) => [...(index === 0 ? [] : [textElement(', ')]), barcodeElement(cut(value, 110))]),
        textElement(' instead.'),
      ]),
  ];
}

type Failed = Extract<Finding, { kind: 'failed' }>;

/** One line for each reason: those that failed for the same one are named together. */
function failedLines(findings: readonly Finding[]): RichTextElement[][] {
  const groups: Failed[][] = [];
  for (const finding of findings.filter((each) => each.kind === 'failed')) {
    const group = groups.find(([first]) => first && sameFailure(first.why, finding.why));
    if (group) {
      group.push(finding);
    } else {
      groups.push([finding]);
    }
  }
  return groups.map((group) => [
    bold(`${signs.unsure} ${named(group)} gave no answer: `),
    ...failureLine(group[0]!.why, true),
  ]);
}

function named(findings: readonly Finding[]): string {
  const all = findings.map(({ database }) => shortName(database.name));
  return all.length > 1 && all.length <= mostNames
    ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
    : names(findings.map(({ database }) => database.name));
}

function historyBlocks({ history, value, findings }: Lookup, room: Room): Block[] {
  const shown = history.scans.slice(0, room.scans);
  const head: RichTextElement[] =
    history.kind === 'read'
      ? summaryLine(history.summary)
      : findings.some((finding) => finding.kind === 'failed' && sameFailure(finding.why, history.why))
        ? [bold(`${signs.unsure} The account’s scans could not be read either.`)]
        : [bold(`${signs.unsure} The account’s scans could not be read: `), ...failureLine(history.why, true)];
  return [
    { type: 'rich_text', elements: paragraph(head) },
    ...(shown.length > 0 ? [scanLines(shown, value, room)] : []),
    ...(history.scans.length > shown.length ? [context(`The last ${shown.length} are shown.`)] : []),
  ];
}

function footnotes(lookup: Lookup, options: CardOptions): Block[] {
  const { notAsked, callsLeft } = lookup;
  const lines = [
    ...(notAsked && notAsked.length > 0
      ? [`Not asked: ${names(notAsked.map((database) => database.name))}. An admin chooses with /scandesk connect.`]
      : []),
    ...(notAsked === undefined && lookup.listFailed
      ? ['Which other databases the account has could not be found out just now.']
      : []),
    ...(options.sharedBy ? [] : exactnessHint(lookup)),
    ...(lookup.value.includes('\u001d') ? ['␝ is the separator of GS1 barcodes. To search for it, type \\x1d.'] : []),
  ];
  const tooLong = options.changeable === undefined ? undefined : tooLongLine(lookup);
  const left = options.sharedBy || isOutOfCalls(lookup) ? undefined : callsLeftLine(callsLeft, lookup.cost);
  return [
    ...(lines.length > 0
      ? [{ type: 'context', elements: lines.map((line) => plain(cut(line, 2_000))) } satisfies Context]
      : []),
    ...(tooLong ? [context(tooLong)] : []),
    ...(left ? [context(left)] : []),
    ...(options.sharedBy
      ? [context(`Shared by <@${options.sharedBy}>, ${momentSaidAfter('as it was ', lookup.askedAt)}`)]
      : []),
    ...(options.wasShared ? [context('You shared this here.')] : []),
  ];
}

function buttons(lookup: Lookup, { buttonValue, changeable, change, wasShared }: CardOptions, shown: number): Block[] {
  if (buttonValue === undefined) {
    return [];
  }
  const { history } = lookup;
  const more = history.kind === 'failed' || history.more || history.scans.length > shown;
  const elements = [
    ...(changeable === undefined ? [] : undoButton(change, buttonValue)),
    ...(wasShared ? [] : [button('Share here', actionIds.lookupShare, { value: buttonValue })]),
    ...(isPartial(lookup) ? [button('Try again', actionIds.lookupAgain, { value: buttonValue })] : []),
    ...(more ? [button('More scans', actionIds.lookupScans, { value: buttonValue })] : []),
    ...(changeable === undefined ? [] : changeElements(lookup, changeable)),
  ];
  return elements.length > 0 ? [actions(elements)] : [];
}

/** Something of it failed, and may work when it is asked again. */
function isPartial({ findings, history, listFailed }: Lookup): boolean {
  return history.kind === 'failed' || listFailed !== undefined || findings.some(({ kind }) => kind === 'failed');
}

/** Then a line of the card says so already. */
function isOutOfCalls({ findings, history }: Lookup): boolean {
  const why = [history, ...findings].flatMap((part) => (part.kind === 'failed' ? [part.why] : []));
  return why.some(({ code, quota }) => code === 'account.quota' && quota !== undefined);
}

function names(all: readonly string[]): string {
  const shown = all.slice(0, mostNames).map((name) => shortName(name));
  const left = all.length - shown.length;
  return left > 0 ? `${shown.join(', ')} and ${countOf(left, 'other')}` : shown.join(', ');
}
