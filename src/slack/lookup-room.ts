/**
 * Owns how Slack's side asks the desk: with the workspace's key, about the databases its admins chose; and what a card's
 * buttons carry. Refuses to lose an answer because its card could not be kept.
 */
import { z } from 'zod';
import { createDesk, type Lookup, type ScanPage } from '../desk/index.js';
import type { Owner } from '../ownership.js';
import type { Message } from './blocks/kit.js';
import { lookupCard } from './blocks/lookup-card.js';
import { accountOf } from './connection.js';
import type { SlackDeps } from './deps.js';
import { notes } from './ids.js';
import { createKeptLookups } from './kept-lookups.js';

/** The barcode, and where the card is kept: without the second, a button asks again. A button's value holds 2,000. */
export const cardNotes = notes(z.object({ value: z.string(), kept: z.string().optional() }), 2000);

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
  /** @throws SlackRoomError `slack.not_connected`, AccountError */
  scans(owner: Owner, value: string, page: number): Promise<ScanPage>;
  /** The card for the person who asked, with its buttons; keeps the lookup for them. */
  card(owner: Owner, lookup: Lookup): Promise<Message>;
}

export function createLookupRoom(deps: Pick<SlackDeps, 'clock' | 'random' | 'log' | 'store' | 'accounts' | 'received'>): LookupRoom {
  const desk = createDesk({ clock: deps.clock, received: deps.received });
  const kept = createKeptLookups(deps);

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
    async scans(owner, value, page) {
      return desk.moreScans({ owner, account: await accountOf(deps, owner), value, page });
    },
    async card(owner, lookup) {
      const id = await kept.keep(owner, lookup).catch((error: unknown) => {
        deps.log.warn({ err: error }, 'a lookup could not be kept for its buttons');
        return undefined;
      });
      const buttonValue = cardNotes.write({ value: lookup.value, ...(id === undefined ? {} : { kept: id }) });
      return lookupCard(lookup, { buttonValue });
    },
  };
}
