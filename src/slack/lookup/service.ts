/**
 * Lookups for Slack: with the workspace's API key, in the databases its admins chose. It also makes the card and its
 * buttons. A lookup is still answered when its card cannot be stored.
 */

import { codeOf } from '../../errors.js';
import { createLookups, type Lookup, type LookupRequest, type ScanPage, type SeenScan } from '../../lookup/index.js';
import { type Owner, ownerKey } from '../../ownership.js';
import { createScanSearch, type SearchScans } from '../../search/index.js';
import { type Members, nameWithMember } from '../../workspaces/members.js';
import type { Message } from '../block-kit/elements.js';
import { SlackError } from '../bolt/errors.js';
import type { Actor, SlackDeps } from '../bolt/routing/deps.js';
import { accountOf, connectedSince, findOfAccount } from '../connection/account.js';
import { linkedMembers } from '../connection/linked-members.js';
import { type CardData, lookupCard } from './card/card.js';
import { type Card, lookupRecords, withShownScans } from './record-store.js';
import { shareOnce } from './share-once.js';

declare module '../bolt/routing/context.js' {
  interface ListenerDeps {
    readonly lookups: LookupService;
  }
}

/** What a button's value has left after a barcode of 100 characters of any kind. */
const longestSpellings = 1_300;

/** `kept`: the card whose scans they are. */
export type Barcode = Pick<CardData, 'value' | 'spellings' | 'kept'>;

export interface PendingLookup {
  readonly answer: Promise<Lookup>;
  /** Number of chosen databases; undefined: all there are. */
  readonly databases: number | undefined;
  /** Of the connection that answers. */
  readonly connectedAt: number | undefined;
}

export type SearchOptions = Pick<LookupRequest, 'live' | 'several' | 'maxWaitMs' | 'who'>;

export interface LookupService {
  /** @throws SlackError `slack.not_connected`; the answer rejects with an AccountError. */
  lookUp(owner: Owner, value: string, how?: SearchOptions): Promise<PendingLookup>;
  /** Adds to an unknown barcode's lookup what may have been meant. Never rejects. */
  suggest(owner: Owner, lookup: Lookup): Promise<Lookup>;
  /**
   * The card behind a button: as stored, or searched again when it expired.
   * @throws SlackError `slack.other_account` if it is from an account that was connected before
   */
  cardBehind(owner: Owner, data: CardData): Promise<Card>;
  /**
   * A card to act on.
   * @throws SlackError `slack.card_old` if it expired, since its state is no longer known;
   * `slack.other_account` if it is from an account that was connected before
   */
  storedCard(owner: Owner, id: string): Promise<Card>;
  /** Shares a card in a channel once: a second click during the first does nothing. */
  shareOnce(actor: Actor, data: Pick<CardData, 'kept'>, share: () => Promise<void>): Promise<void>;
  /**
   * A page of a card's scans, which are no older than those on the card.
   * @throws SlackError `slack.other_account`, `slack.not_connected`; AccountError
   */
  scans(owner: Owner, barcode: Barcode, page: number): Promise<ScanPage>;
  /** Searches the scans that are kept here. */
  readonly searchScans: SearchScans;
  /** Runs work on a stored card, one at a time: a second click during the first does nothing. */
  whileIdle(owner: Owner, id: string, work: () => Promise<void>): Promise<void>;
  /** Stores a card without showing it; undefined if that fails. */
  save(owner: Owner, card: Card): Promise<string | undefined>;
  /** The card with the buttons this person may use; stores what those need. */
  card(
    owner: Owner,
    card: Card,
    person: { readonly mayChange: boolean; readonly thread?: string | undefined },
  ): Promise<Message>;
}

export function createLookupService(
  deps: Pick<SlackDeps, 'config' | 'clock' | 'random' | 'log' | 'store' | 'accounts' | 'scans' | 'relays' | 'mirror'>,
): LookupService {
  const { clock, scans, relays, mirror, config } = deps;
  const lookups = createLookups({ clock, scans, relays, mirror, greenMs: config.GREEN_MINUTES * 60_000 });
  const searchScans = createScanSearch({ clock, scans, relays, mirror });
  const busy = new Set<string>();
  /** `connectedAt` of the connection that answered a lookup. */
  const connectedAtOf = new WeakMap<Lookup, number>();

  /** Names are a help: where nobody can be read, the users are shown as the account names them. */
  async function withMembers(owner: Owner, scans: readonly SeenScan[]): Promise<readonly SeenScan[]> {
    try {
      return scansWithMembers(scans, await linkedMembers(deps, owner));
    } catch (error) {
      deps.log.warn({ err: error, code: codeOf(error) }, 'scans are shown without the names of linked members');
      return scans;
    }
  }

  async function ask(owner: Owner, value: string, how: SearchOptions = {}): Promise<PendingLookup> {
    const connectedAt = await connectedSince(deps, owner);
    const [account, settings] = await Promise.all([accountOf(deps, owner), deps.store.workspaces.settings(owner)]);
    const databaseIds = settings.lookupDatabases;
    const answer = lookups.lookup({ owner, account, value, databaseIds, ...how }).then(async (found) => {
      const scans = await withMembers(owner, found.history.scans);
      const lookup: Lookup = { ...found, history: { ...found.history, scans } };
      if (connectedAt !== undefined) {
        connectedAtOf.set(lookup, connectedAt);
      }
      return lookup;
    });
    return { answer, databases: databaseIds?.length, connectedAt };
  }

  async function keep(owner: Owner, card: Card): Promise<string | undefined> {
    try {
      const connectedAt = card.connectedAt ?? connectedAtOf.get(card.lookup) ?? (await connectedSince(deps, owner));
      const stored = { ...card, lookup: withShownScans(card.lookup) };
      return await lookupRecords.save(deps, owner, connectedAt === undefined ? stored : { ...stored, connectedAt });
    } catch (error) {
      deps.log.warn({ err: error }, 'could not store a lookup for its buttons');
      return undefined;
    }
  }

  return {
    async searchScans(request) {
      const found = await searchScans(request);
      return found === 'no_span' ? found : { ...found, scans: await withMembers(request.owner, found.scans) };
    },
    lookUp: ask,
    async suggest(owner, lookup) {
      try {
        const suggested = await lookups.suggest(owner, lookup);
        const connectedAt = connectedAtOf.get(lookup);
        if (connectedAt !== undefined) {
          connectedAtOf.set(suggested, connectedAt);
        }
        return suggested;
      } catch (error) {
        // That it is unknown is the answer.
        deps.log.warn({ err: error }, 'nothing could be suggested for an unknown barcode');
        return lookup;
      }
    },
    async cardBehind(owner, { value, kept: id, symbology }) {
      const found = id === undefined ? undefined : await findOfAccount(deps, owner, lookupRecords, id);
      if (found) {
        return found;
      }
      const { answer, connectedAt } = await ask(owner, value);
      return { lookup: { ...(await answer), ...(symbology ? { symbology } : {}) }, connectedAt };
    },
    async storedCard(owner, id) {
      const found = await findOfAccount(deps, owner, lookupRecords, id);
      if (!found) {
        throw new SlackError('slack.card_old', `card not found: ${id}`);
      }
      return found;
    },
    shareOnce: (actor, { kept }, share) => (kept === undefined ? share() : shareOnce(deps, actor, kept, share)),
    async scans(owner, { value, spellings, kept: id }, page) {
      const lookup = id === undefined ? undefined : (await findOfAccount(deps, owner, lookupRecords, id))?.lookup;
      const notBefore = lookup?.asOf ? lookup.asOf.scans : lookup?.askedAt;
      const account = await accountOf(deps, owner);
      const found = await lookups.moreScans({ owner, account, value, spellings, notBefore, page });
      return { ...found, scans: await withMembers(owner, found.scans) };
    },
    async whileIdle(owner, id, work) {
      const key = JSON.stringify([ownerKey(owner), id]);
      if (busy.has(key)) {
        return;
      }
      busy.add(key);
      await work().finally(() => busy.delete(key));
    },
    save: keep,
    async card(owner, card, { mayChange, thread }) {
      const { lookup, change } = card;
      const id = await keep(owner, card);
      const { value, symbology } = lookup;
      const fits = JSON.stringify(lookup.spellings).length <= longestSpellings;
      const spellings = fits && lookup.spellings.length > 0 ? { spellings: [...lookup.spellings] } : {};
      const data = {
        value,
        ...spellings,
        ...(id === undefined ? {} : { kept: id }),
        ...(thread ? { thread } : {}),
        ...(symbology ? { symbology } : {}),
      };
      return lookupCard(lookup, { data, change, mayChange });
    },
  };
}

/** Who the users are in Slack, by name: a mention would call them. */
function scansWithMembers(scans: readonly SeenScan[], members: Members): readonly SeenScan[] {
  return members.size === 0
    ? scans
    : scans.map((scan) => {
        const name = nameWithMember(scan.user.name, members.get(scan.user.id));
        return name === undefined ? scan : { ...scan, user: { ...scan.user, name } };
      });
}
