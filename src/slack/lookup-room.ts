/**
 * Owns how Slack's side asks the desk: with the workspace's key, about the databases its admins chose; and what a card's
 * buttons carry. Refuses to lose an answer because its card could not be kept.
 */
import { z } from 'zod';
import { createDesk, type Lookup, type ScanPage } from '../desk/index.js';
import { type Owner, ownerKey } from '../ownership.js';
import type { Message } from './blocks/kit.js';
import { lookupCard } from './blocks/lookup-card.js';
import { accountOf } from './connection.js';
import type { Asker, SlackDeps } from './deps.js';
import { notes } from './ids.js';
import { createKeptLookups } from './kept-lookups.js';

/** How databases spell the barcode belongs to it: its scans may be filed under that. A button's value holds 2,000. */
const barcode = { value: z.string(), spellings: z.array(z.string()).optional() };

/** `kept`: where the lookup is kept; without it, a button asks again. */
export const cardNotes = notes(z.object({ ...barcode, kept: z.string().optional() }), 2000);
export const pageNotes = notes(z.object({ ...barcode, page: z.number().int().min(0) }), 2000);

/** Clicks come twice within seconds, not within a thousand other cards. */
const rememberAtMost = 1_000;

/** What the barcode itself, 100 characters of whatever kind, leaves of a button's value. */
const longestSpellings = 1_300;

export type Barcode = Omit<ReturnType<typeof cardNotes.read>, 'kept'>;

export interface Asked {
  readonly answer: Promise<Lookup>;
  /** How many databases were chosen to be asked; undefined: whichever there are. */
  readonly databases: number | undefined;
}

export interface LookupRoom {
  /** @throws SlackRoomError `slack.not_connected`; the answer rejects with an AccountError. */
  ask(owner: Owner, value: string): Promise<Asked>;
  /** What a button on a card stands for: the lookup as it was, or asked again when it is not kept any more. */
  recall(owner: Owner, buttonValue: string | undefined): Promise<Lookup>;
  /** Shares a card in a channel, once: a second click while the first is on its way does nothing. */
  shareOnce(asker: Asker, buttonValue: string, share: () => Promise<void>): Promise<void>;
  /** @throws SlackRoomError `slack.not_connected`, AccountError */
  scans(owner: Owner, barcode: Barcode, page: number): Promise<ScanPage>;
  /** The card for the person who asked, with its buttons; keeps the lookup for them. */
  card(owner: Owner, lookup: Lookup): Promise<Message>;
}

export function createLookupRoom(
  deps: Pick<SlackDeps, 'clock' | 'random' | 'log' | 'store' | 'accounts' | 'received'>,
): LookupRoom {
  const desk = createDesk({ clock: deps.clock, received: deps.received });
  const kept = createKeptLookups(deps);
  const shared = new Set<string>();

  async function ask(owner: Owner, value: string): Promise<Asked> {
    const [account, settings] = await Promise.all([accountOf(deps, owner), deps.store.workspaces.settings(owner)]);
    const databaseIds = settings.lookupDatabases;
    return { answer: desk.lookup({ owner, account, value, databaseIds }), databases: databaseIds?.length };
  }

  return {
    ask,
    async recall(owner, buttonValue) {
      const { value, kept: id } = cardNotes.read(buttonValue);
      const found = id === undefined ? undefined : await kept.find(owner, id);
      return found ?? (await (await ask(owner, value)).answer);
    },
    async shareOnce({ owner, channelId }, buttonValue, share) {
      const id = cardNotes.read(buttonValue).kept;
      const key = JSON.stringify([ownerKey(owner), channelId, id]);
      if (id === undefined) {
        return share();
      }
      if (shared.has(key)) {
        return;
      }
      if (shared.size >= rememberAtMost) {
        shared.clear();
      }
      shared.add(key);
      await share().catch((error: unknown) => {
        shared.delete(key);
        throw error;
      });
    },
    async scans(owner, { value, spellings }, page) {
      return desk.moreScans({ owner, account: await accountOf(deps, owner), value, spellings, page });
    },
    async card(owner, lookup) {
      const id = await kept.keep(owner, lookup).catch((error: unknown) => {
        deps.log.warn({ err: error }, 'a lookup could not be kept for its buttons');
        return undefined;
      });
      const { value } = lookup;
      const fits = JSON.stringify(lookup.spellings).length <= longestSpellings;
      const spellings = fits && lookup.spellings.length > 0 ? { spellings: [...lookup.spellings] } : {};
      const buttonValue = cardNotes.write({ value, ...spellings, ...(id === undefined ? {} : { kept: id }) });
      return lookupCard(lookup, { buttonValue });
    },
  };
}
