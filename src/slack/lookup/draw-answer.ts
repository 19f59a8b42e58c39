/** The message of an answer for a person, with the buttons they may use. An answer's barcodes become recent lookups. */
import type { Lookup } from '../../lookup/index.js';
import type { Message } from '../block-kit/elements.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { barcodePlaces } from './barcode-places.js';
import { lookupCard } from './card/card.js';
import type { LookupContext } from './read-barcode.js';
import { recordLookups } from './recent-lookups.js';
import { type Card, keepCard } from './record-store.js';
import type { Resolved } from './resolve-barcodes.js';
import { severalAnswer } from './several/lines.js';
import { severalRecords } from './several/record-store.js';
import { severalCard } from './several/several-card.js';
import { walkUpChoices } from './walk-up-choices.js';
import type { PendingLookup } from './workspace-lookups.js';

/** The most characters of a barcode and its spellings in a button's value. */
const longestSpellings = 1_850;

/** Draws a card, stored for its buttons. It records no recent lookup: `drawOne` and `drawSeveral` do. */
export async function drawCard(
  { deps, actor }: Pick<BaseContext, 'deps' | 'actor'>,
  card: Card,
  person: { readonly mayChange: boolean; readonly thread?: string | undefined },
): Promise<Message> {
  const { lookup, change } = card;
  const { value, symbology } = lookup;
  const { owner, userId } = actor;
  const [storedId, places, walkUp] = await Promise.all([
    keepCard(deps, owner, card),
    barcodePlaces(deps, { owner, userId, role: person.mayChange ? 'manager' : 'everyone' }, value),
    person.mayChange ? walkUpChoices(deps, owner, lookup) : [],
  ]);
  const fits = lookup.spellings.length > 0 && JSON.stringify([value, lookup.spellings]).length <= longestSpellings;
  const spellings = fits ? [...lookup.spellings] : undefined;
  const data = { value, spellings, kept: storedId, thread: person.thread, symbology };
  const now = deps.clock.now();
  return lookupCard(lookup, { data, change, mayChange: person.mayChange, walkUp: walkUp.length > 0, places, now });
}

/** The card of one barcode, with suggestions where it is unknown. */
export async function drawOne(
  context: LookupContext,
  { answer, connectedAt }: Pick<PendingLookup, 'answer' | 'connectedAt'>,
): Promise<Message> {
  const { deps, actor, client, thread, symbologies } = context;
  const [resolved, mayChange] = await Promise.all([
    answer.then((lookup) => deps.lookups.suggest(actor.owner, lookup)),
    deps.permissions.can(client, actor, 'manager'),
  ]);
  const lookup = { ...resolved, symbology: symbologies?.get(resolved.reading?.typed ?? resolved.value) };
  const [message] = await Promise.all([
    drawCard(context, { lookup, connectedAt }, { mayChange, thread }),
    recordRecent(context, [lookup], connectedAt),
  ]);
  return message;
}

/** The card of several barcodes. @throws AccountError where all failed, and the first for another reason than calls */
export async function drawSeveral(
  context: LookupContext,
  resolution: Pick<Resolved, 'results' | 'leftOut' | 'parted'>,
  connectedAt: number | undefined,
): Promise<Message> {
  const { deps, actor, reference } = context;
  const { results } = resolution;
  const lookups = results.flatMap((result) => (result.kind === 'answered' ? [result.lookup] : []));
  const [failure] = results.flatMap((result) => (result.kind === 'failed' ? [result.error] : []));
  if (failure && lookups.length === 0 && failure.code !== 'account.quota') {
    throw failure;
  }
  const answer = severalAnswer(resolution, deps.clock.now(), connectedAt, context.symbologies);
  const [storedId] = await Promise.all([
    severalRecords.save(deps, actor.owner, answer).catch((error: unknown) => {
      deps.log.warn({ err: error, reference }, 'a card of several barcodes could not be stored for its buttons');
      return undefined;
    }),
    recordRecent(context, lookups, connectedAt),
  ]);
  return severalCard(answer, { kept: storedId, thread: context.thread });
}

/** Records recent lookups. Never rejects: the answer is worth more than its place in a list. */
async function recordRecent(
  { deps, actor, reference }: LookupContext,
  lookups: readonly Lookup[],
  connectedAt: number | undefined,
): Promise<void> {
  await recordLookups(deps, actor, lookups, connectedAt).catch((error: unknown) => {
    deps.log.warn({ err: error, reference }, 'lookups could not be noted as recent');
  });
}
