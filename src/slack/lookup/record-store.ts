/**
 * Stored cards behind their buttons. A button carries the card's id, so sharing shows what the person saw and costs no
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
 * - `added`: the database lacked the barcode; there is no `before`.
 * - `undone`: the former state is restored.
 * - `stands`: nothing was done, because somebody else had changed the value since.
 */
const cardChangeShape = z
  .object({
    what: z.enum(['changed', 'added', 'undone', 'stands']),
    database: z.object({ id: z.string(), name: z.string() }).readonly(),
    /** The barcode as the database spells it. */
    value: z.string(),
    before: valueState.optional(),
    after: valueState.optional(),
    /** Whether the barcode could not be read again after the change. */
    unconfirmed: z.boolean().optional(),
    /** Slack user id of the person who made the change. */
    by: z.string(),
    at: z.number(),
  })
  .readonly();

export type CardChange = z.output<typeof cardChangeShape>;

/** A stored card. `change`: the last edit made from the card. `connectedAt`: the connection that answered. */
const cardShape = z
  .object({ lookup: lookupShape, change: cardChangeShape.optional(), connectedAt: z.number().optional() })
  .readonly();

export type Card = z.output<typeof cardShape>;

/** The most scans on a card; older ones are behind a button. */
export const maxScansOnCard = 5;

/** The most characters of the response of a scan that the card does not show: after an edit, it can be in the title. */
const longestResult = 100;

/** The lookup without what its card never shows: a scan beyond the last five keeps only the facts of a headline. */
function withShownScans(lookup: Card['lookup']): Card['lookup'] {
  const { history } = lookup;
  const decidingScan = headlineOf(lookup).scan?.scan;
  const scans = history.scans.map((scan, at) => {
    const { place: _, ...rest } = scan;
    return at < maxScansOnCard || scan === decidingScan
      ? scan
      : { ...rest, answers: [], result: cut(scan.result, longestResult) };
  });
  return { ...lookup, history: { ...history, scans } };
}

export const lookupRecords = recordStore('lookup', cardShape);

/** Stores a card for its buttons. Undefined if that fails: the card then has no buttons for changes. */
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
