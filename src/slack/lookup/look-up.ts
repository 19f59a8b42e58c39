/** A lookup for a person: the card, with the buttons they may use. It is noted among their recent lookups. */
import { isAbsent, type Lookup } from '../../lookup/index.js';
import type { Message } from '../block-kit/elements.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { topicOf } from './card/card.js';
import { noteLookups } from './recent-lookups.js';
import type { PendingLookup, SearchOptions } from './service.js';

export interface LookUpContext extends Pick<BaseContext, 'deps' | 'actor' | 'client' | 'reference' | 'topic'> {
  /** See `shareButton`. */
  readonly thread?: string | undefined;
  /** By value, for those read from a picture: the prefix that tells a GS1 barcode. */
  readonly symbologies?: ReadonlyMap<string, string> | undefined;
  /** By value, how else the same symbol is read: looked up where nothing is known of the value. */
  readonly otherReadings?: ReadonlyMap<string, string> | undefined;
}

/** Those of cards, lines or rows that are shown again. */
export function symbologiesOf(
  barcodes: readonly { readonly value: string; readonly symbology?: string | undefined }[],
) {
  return new Map(barcodes.flatMap(({ value, symbology }) => (symbology === undefined ? [] : [[value, symbology]])));
}

export interface LookUpOptions {
  /** Ask the account for everything. */
  readonly live?: boolean;
  /** Called once it is on its way; `databases`: how many are searched, if known. */
  readonly started?: (databases: number | undefined) => void;
}

/** The lookup of the value, or of its other reading where that alone is known. */
export async function lookUpReading(
  { deps, actor: { owner, userId: who }, otherReadings }: Pick<LookUpContext, 'deps' | 'actor' | 'otherReadings'>,
  value: string,
  how: Omit<SearchOptions, 'who'>,
): Promise<PendingLookup> {
  const pending = await deps.lookups.lookUp(owner, value, { ...how, who });
  const other = otherReadings?.get(value);
  if (other === undefined) {
    return pending;
  }
  const isNothing = (lookup: Lookup) => isAbsent(lookup) && lookup.history.scans.length === 0;
  const either = async () => {
    const found = await pending.answer;
    const second = isNothing(found) && (await (await deps.lookups.lookUp(owner, other, { ...how, who })).answer);
    return second && !isNothing(second) ? second : found;
  };
  return { ...pending, answer: either() };
}

/** @throws SlackError `slack.not_connected`, AccountError when every part failed */
export async function lookUpCard(
  context: LookUpContext,
  value: string,
  { live = false, started }: LookUpOptions = {},
): Promise<Message> {
  Object.assign(context.topic, topicOf({ value, symbology: context.symbologies?.get(value) }));
  const { answer, databases, connectedAt } = await lookUpReading(context, value, { live });
  started?.(databases);
  return await cardOf(context, answer, connectedAt);
}

/** The card of a lookup that was made for this person, with suggestions where the barcode is unknown. */
export async function cardOf(
  context: LookUpContext,
  answer: Lookup | Promise<Lookup>,
  connectedAt: number | undefined,
): Promise<Message> {
  const { deps, actor, client, thread, symbologies } = context;
  const [lookup, mayChange] = await Promise.all([
    Promise.resolve(answer).then((found) => deps.lookups.suggest(actor.owner, found)),
    deps.permissions.can(client, actor, 'manager'),
  ]);
  const symbology = symbologies?.get(lookup.value);
  const card = symbology === undefined ? { lookup } : { lookup: { ...lookup, symbology }, connectedAt };
  const [message] = await Promise.all([
    deps.lookups.card(actor.owner, card, { mayChange, thread }),
    note(context, [card.lookup], connectedAt),
  ]);
  return message;
}

/** Notes them as recent. The answer is worth more than its place in a list. */
export async function note(
  { deps, actor, reference }: LookUpContext,
  lookups: readonly Lookup[],
  connectedAt: number | undefined,
): Promise<void> {
  await noteLookups(deps, actor, lookups, connectedAt).catch((error: unknown) => {
    deps.log.warn({ err: error, reference }, 'lookups could not be noted as recent');
  });
}
