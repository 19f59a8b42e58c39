/**
 * Stored cards behind their buttons. A button carries only the id, so sharing shows what the person saw and costs no
 * API call. A card is stored for a day: one from the morning can be shared in the evening.
 */
import { z } from 'zod';
import { headlineOf, lookupShape, valueState } from '../../lookup/index.js';
import type { Owner } from '../../ownership.js';
import { recordStore } from '../../workspaces/record-store.js';
import { cut } from '../block-kit/elements.js';
import { SlackError } from '../bolt/errors.js';
import type { SlackDeps } from '../bolt/routing/deps.js';
import { connectedSince, findOfAccount } from '../connection/account.js';

/**
 * The last edit made from a card, stored so that it can be shown and exactly undone.
 * - `changed`: validity, response or both; `before` and `after` hold the states.
 * - `added`: the database lacked it; there is no `before`.
 * - `undone`: the former state is restored.
 * - `stands`: nothing was done, because somebody else had changed it since.
 */
const cardChangeShape = z
  .object({
    what: z.enum(['changed', 'added', 'undone', 'stands']),
    database: z.object({ id: z.string(), name: z.string() }).readonly(),
    /** The barcode as the database spells it. */
    value: z.string(),
    before: valueState.optional(),
    after: valueState.optional(),
    /** Slack user id of the person who made the change. */
    by: z.string(),
    at: z.number(),
  })
  .readonly();

export type CardChange = z.output<typeof cardChangeShape>;

/** Everything that a card shows. `change`: the last edit made from it. `connectedAt`: the connection that answered. */
const cardShape = z
  .object({ lookup: lookupShape, change: cardChangeShape.optional(), connectedAt: z.number().optional() })
  .readonly();

export type Card = z.output<typeof cardShape>;

/** The most scans on a card; older ones are behind *More scans*. */
export const maxScansOnCard = 5;

/** Of the response of a scan that the card does not show: an edit can make it the title. */
const longestResult = 100;

/** The lookup without what its card never shows: of most of a busy barcode's scans, only the headline's facts. */
function withShownScans(lookup: Card['lookup']): Card['lookup'] {
  const { history } = lookup;
  const deciding = headlineOf(lookup).scan?.scan;
  const scans = history.scans.map((scan, at) => {
    const { place: _, ...rest } = scan;
    return at < maxScansOnCard || scan === deciding
      ? scan
      : { ...rest, answers: [], result: cut(scan.result, longestResult) };
  });
  return { ...lookup, history: { ...history, scans } };
}

export const lookupRecords = recordStore('lookup', cardShape);

/** Stores a card for its buttons. Undefined if that fails: a lookup is answered without its buttons. */
export async function keepCard(
  deps: Pick<SlackDeps, 'store' | 'random' | 'clock' | 'log'>,
  owner: Owner,
  { connectedAt, ...card }: Card,
): Promise<string | undefined> {
  try {
    const stored = { ...card, lookup: withShownScans(card.lookup) };
    const answeredBy = connectedAt ?? (await connectedSince(deps, owner));
    return await lookupRecords.save(deps, owner, { ...stored, connectedAt: answeredBy });
  } catch (error) {
    deps.log.warn({ err: error }, 'could not store a lookup for its buttons');
    return undefined;
  }
}

/**
 * A card to act on.
 * @throws SlackError `slack.card_old` if it expired, `slack.other_account` if the card is from an account that was
 * connected before
 */
export async function storedCard(deps: Pick<SlackDeps, 'store'>, owner: Owner, id: string): Promise<Card> {
  const found = await findOfAccount(deps, owner, lookupRecords, id);
  if (!found) {
    throw new SlackError('slack.card_old', `card not found: ${id}`);
  }
  return found;
}
