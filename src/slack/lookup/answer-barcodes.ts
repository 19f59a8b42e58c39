/** The answer to a person who asks about barcodes: the text is resolved, each barcode is read, the card is drawn. */
import type { Message } from '../block-kit/elements.js';
import { accountOf, connectedSince } from '../connection/account.js';
import { emptyQuotesMessage, tooLongMessage } from './card/barcode-hints.js';
import { topicOf } from './card/card.js';
import { isWords } from './card/suggestion-blocks.js';
import { drawOne, drawSeveral } from './draw-answer.js';
import type { BarcodePiece } from './parse-barcodes.js';
import { type LookupContext, readBarcode, readOneOfSeveral, withOneConfirmed } from './read-barcode.js';
import { type BarcodeResult, mostBarcodes, type Resolved, readEach, resolveBarcodes } from './resolve-barcodes.js';
import type { SeveralAnswer } from './several/record-store.js';

export interface AnswerOptions {
  /** Whether to ask the account for everything, not the copy. */
  readonly live?: boolean;
  /** Called once the lookup of a single barcode has begun; `databases`: how many are chosen, undefined for all. */
  readonly started?: (databases: number | undefined) => void;
}

/** The answer to a typed text. @throws SlackError `slack.not_connected`; AccountError when nothing could be searched */
export async function answerText(
  context: LookupContext,
  typedPiece: BarcodePiece,
  options: AnswerOptions = {},
): Promise<Message> {
  if (typedPiece.parts.length === 0) {
    return await answerSingle(context, typedPiece, options);
  }
  const connectedAt = await connectedSince(context.deps, context.actor.owner);
  const wholeValue = typedPiece.read.kind === 'value' ? typedPiece.read.value : undefined;
  const resolution = await resolveBarcodes(typedPiece, readOneOfSeveral(context, { alone: wholeValue }));
  const [onlyResult] = resolution.results;
  if (!onlyResult) {
    return emptyQuotesMessage();
  }
  // A text like “Smith, John”, of which no part is found, is a name, not two barcodes: its card suggests values.
  const isOne = resolution.results.length === 1 || (resolution.whole !== undefined && isWords(resolution.whole.value));
  if (!isOne) {
    return await answerSeveral(context, resolution, connectedAt);
  }
  const singleBarcode = resolution.whole ?? onlyResult;
  // A part of the text was looked up as one of several barcodes; as the only one, it is looked up anew.
  return singleBarcode.kind === 'answered' && singleBarcode.value !== wholeValue
    ? await answerBarcode(context, singleBarcode.value, options)
    : await answerResult(context, singleBarcode, connectedAt);
}

/** The card of one barcode. @throws SlackError `slack.not_connected`, AccountError when every part failed */
export async function answerBarcode(
  context: LookupContext,
  value: string,
  { live = false, started }: AnswerOptions = {},
): Promise<Message> {
  Object.assign(context.topic, topicOf({ value, symbology: context.symbologies?.get(value) }));
  const pending = await readBarcode(context, value, { live });
  started?.(pending.databases);
  return await drawOne(context, pending);
}

/** The card of one barcode, or of several that need no splitting, each given once. `values` holds at least one. */
export async function answerBarcodes(context: LookupContext, values: readonly string[]): Promise<Message> {
  const [first = ''] = values;
  if (values.length <= 1) {
    return await answerBarcode(context, first);
  }
  const connectedAt = await connectedSince(context.deps, context.actor.owner);
  const results = await readEach(values.slice(0, mostBarcodes), readOneOfSeveral(context));
  return await answerSeveral(context, { results, leftOut: values.slice(mostBarcodes), parted: false }, connectedAt);
}

/** Looks the same barcodes up again. The account is asked where that takes half of the minute's calls left, or less. */
export async function answerAgain(context: LookupContext, earlierAnswer: SeveralAnswer): Promise<Message> {
  const { deps, actor } = context;
  const connectedAt = await connectedSince(deps, actor.owner);
  const { left } = (await accountOf(deps, actor.owner)).client.callsLeft().minute;
  const live = left !== undefined && earlierAnswer.cost * 2 <= left;
  const lines = earlierAnswer.lines.filter((line) => line.kind !== 'too_long');
  const values = lines.map(({ value }) => value);
  const results = await readEach(values, readOneOfSeveral(context, { live }));
  const { leftOut, parted } = earlierAnswer;
  const symbologies = symbologiesOf(lines);
  return await answerSeveral({ ...context, symbologies }, { results, leftOut, parted }, connectedAt);
}

/** The symbologies of barcodes that a card, a line or a row shows, to look them up again. */
export function symbologiesOf(
  barcodes: readonly { readonly value: string; readonly symbology?: string | undefined }[],
): ReadonlyMap<string, string> {
  return new Map(barcodes.flatMap(({ value, symbology }) => (symbology === undefined ? [] : [[value, symbology]])));
}

async function answerSingle(context: LookupContext, { read }: BarcodePiece, options: AnswerOptions): Promise<Message> {
  switch (read.kind) {
    case 'empty_quotes':
      return emptyQuotesMessage();
    case 'too_long':
      return tooLongMessage(read.length);
    case 'value':
      return await answerBarcode(context, read.value, options);
  }
}

async function answerResult(
  context: LookupContext,
  result: BarcodeResult,
  connectedAt: number | undefined,
): Promise<Message> {
  switch (result.kind) {
    case 'answered':
      return await drawOne(context, { answer: Promise.resolve(result.lookup), connectedAt });
    case 'too_long':
      return tooLongMessage(result.length);
    case 'failed':
      throw result.error;
  }
}

async function answerSeveral(
  context: LookupContext,
  found: Pick<Resolved, 'results' | 'leftOut' | 'parted'>,
  connectedAt: number | undefined,
): Promise<Message> {
  const results = await withOneConfirmed(context, found.results);
  return await drawSeveral(context, { ...found, results }, connectedAt);
}
