/** The answer to a text that a person typed: the card of a barcode, or of several. */
import { AccountError } from '../../../codereadr/types.js';
import { failureOf, isAbsent, notAnswered } from '../../../lookup/index.js';
import type { Message } from '../../block-kit/elements.js';
import { accountOf, connectedSince } from '../../connection/account.js';
import { emptyQuotesMessage, tooLongMessage } from '../card/barcode-hints.js';
import { severalCard } from '../card/several-card.js';
import { isWords } from '../card/suggestion-blocks.js';
import {
  cardOf,
  type LookUpContext,
  type LookUpOptions,
  lookUpCard,
  lookUpReading,
  note,
  symbologiesOf,
} from '../look-up.js';
import { severalAnswer } from './lines.js';
import { type SeveralAnswer, severalRecords } from './record-store.js';
import {
  type BarcodeResult,
  type LookUpOne,
  lookUpEach,
  mostBarcodes,
  type Resolved,
  resolveBarcodes,
} from './resolve.js';
import { type BarcodePiece, splitBarcodes } from './split-barcodes.js';

/** @throws SlackError `slack.not_connected`; AccountError when nothing could be searched */
export async function lookUpText(context: LookUpContext, text: string, options: LookUpOptions = {}): Promise<Message> {
  const root = splitBarcodes(text);
  if (root.parts.length === 0) {
    return await lookUpSingle(context, root, options);
  }
  const { deps, actor } = context;
  const connectedAt = await connectedSince(deps, actor.owner);
  const whole = root.read.kind === 'value' ? root.read.value : undefined;
  const resolved = await resolveBarcodes(root, searching(context, { alone: whole }));
  const [only] = resolved.results;
  if (!only) {
    return emptyQuotesMessage();
  }
  // “Smith, John”, of which nothing is found, is a name rather than two barcodes: its card suggests values.
  const isOne = resolved.results.length === 1 || (resolved.whole !== undefined && isWords(resolved.whole.value));
  if (!isOne) {
    return await severalMessage(context, resolved, connectedAt);
  }
  const one = resolved.whole ?? only;
  // What remains of a text was looked up as one of several.
  return one.kind === 'answered' && one.value !== whole
    ? await lookUpCard(context, one.value, options)
    : await singleResult(context, one, connectedAt);
}

/** The card of one barcode, or of several that are known to be apart, each given once. At least one. */
export async function lookUpValues(context: LookUpContext, values: readonly string[]): Promise<Message> {
  const [first = ''] = values;
  if (values.length <= 1) {
    return await lookUpCard(context, first);
  }
  const { deps, actor } = context;
  const connectedAt = await connectedSince(deps, actor.owner);
  const results = await lookUpEach(values.slice(0, mostBarcodes), searching(context, {}));
  return await severalMessage(context, { results, leftOut: values.slice(mostBarcodes), parted: false }, connectedAt);
}

/** The same barcodes again. They are asked of the account where that takes half the calls that are left, or less. */
export async function lookUpAgain(context: LookUpContext, before: SeveralAnswer): Promise<Message> {
  const { deps, actor } = context;
  const connectedAt = await connectedSince(deps, actor.owner);
  const { left } = (await accountOf(deps, actor.owner)).client.callsLeft().minute;
  const live = left !== undefined && before.cost * 2 <= left;
  const values = before.lines.flatMap((line) => (line.kind === 'too_long' ? [] : line.value));
  const results = await lookUpEach(values, searching(context, { live }));
  const { leftOut, parted } = before;
  const symbologies = symbologiesOf(before.lines.filter((line) => line.kind !== 'too_long'));
  return await severalMessage({ ...context, symbologies }, { results, leftOut, parted }, connectedAt);
}

async function lookUpSingle(context: LookUpContext, { read }: BarcodePiece, options: LookUpOptions): Promise<Message> {
  switch (read.kind) {
    case 'empty_quotes':
      return emptyQuotesMessage();
    case 'too_long':
      return tooLongMessage(read.length);
    case 'value':
      return await lookUpCard(context, read.value, options);
  }
}

async function singleResult(
  context: LookUpContext,
  result: BarcodeResult,
  connectedAt: number | undefined,
): Promise<Message> {
  switch (result.kind) {
    case 'answered':
      return await cardOf(context, result.lookup, connectedAt);
    case 'too_long':
      return tooLongMessage(result.length);
    case 'failed':
      throw result.error;
  }
}

/** `alone`: the barcode that is confirmed and may wait for the next minute's calls; several would take too many. */
function searching(
  context: LookUpContext,
  { live = false, alone }: { readonly live?: boolean; readonly alone?: string | undefined },
): LookUpOne {
  return async (value) => {
    const how = { live, ...(value === alone ? {} : { several: true, maxWaitMs: 0 }) };
    const { answer } = await lookUpReading(context, value, how);
    try {
      const lookup = await answer;
      return { kind: 'answered', value: lookup.value, lookup };
    } catch (error) {
      if (error instanceof AccountError) {
        return { kind: 'failed', value, error };
      }
      throw error;
    }
  };
}

/**
 * Of the barcodes that copies alone do not hold, one is confirmed for all: where the account does not answer, none of
 * them was checked.
 */
async function withOneConfirmed(
  context: LookUpContext,
  results: readonly BarcodeResult[],
): Promise<readonly BarcodeResult[]> {
  const first = results.find(isCopied);
  if (!first) {
    return results;
  }
  const confirmed = await searching(context, { alone: first.value })(first.value);
  const why =
    confirmed.kind === 'failed'
      ? failureOf(confirmed.error)
      : confirmed.lookup.findings.flatMap((finding) => (finding.kind === 'failed' ? finding.why : []))[0];
  return results.map((result) => {
    if (result === first) {
      return confirmed;
    }
    return why && result.kind === 'answered' ? { ...result, lookup: notAnswered(result.lookup, why) } : result;
  });
}

function isCopied(result: BarcodeResult): boolean {
  return (
    result.kind === 'answered' &&
    isAbsent(result.lookup) &&
    result.lookup.findings.some((finding) => finding.kind === 'unknown' && finding.copiedAt !== undefined)
  );
}

async function severalMessage(
  context: LookUpContext,
  found: Pick<Resolved, 'results' | 'leftOut' | 'parted'>,
  connectedAt: number | undefined,
): Promise<Message> {
  const { deps, actor, reference } = context;
  const results = await withOneConfirmed(context, found.results);
  const lookups = results.flatMap((result) => (result.kind === 'answered' ? [result.lookup] : []));
  const [failure] = results.flatMap((result) => (result.kind === 'failed' ? [result.error] : []));
  if (failure && lookups.length === 0 && failure.code !== 'account.quota') {
    throw failure;
  }
  const answer = severalAnswer({ ...found, results }, deps.clock.now(), connectedAt, context.symbologies);
  const [kept] = await Promise.all([
    severalRecords.save(deps, actor.owner, answer).catch((error: unknown) => {
      deps.log.warn({ err: error, reference }, 'a card of several barcodes could not be stored for its buttons');
      return undefined;
    }),
    note(context, lookups, connectedAt),
  ]);
  return severalCard(answer, { kept, thread: context.thread });
}
