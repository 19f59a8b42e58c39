/**
 * Searches that people saved by a name: for themselves, or for a channel. They stay until they are deleted, by a person
 * or with the barcode they hold. An id begins with what the search is saved for, so that a list is read by its prefix.
 */
import { z } from 'zod';
import type { Clock } from '../clock.js';
import { compareNames } from '../english.js';
import type { Owner } from '../ownership.js';
import { newRecordId, type RecordDeps, recordStore } from '../workspaces/record-store.js';
import type { Store } from '../workspaces/types.js';
import { scanQuery } from './query.js';

export const longestSearchName = 60;
/** The most searches of one person, and of one channel: all of them are options of one menu. */
export const mostSavedSearches = 20;

const savedSchema = z.object({
  name: z.string(),
  query: scanQuery,
  savedBy: z.string(),
  savedAt: z.number(),
  /** The channel for which the search is saved; unset: for the person alone. */
  channel: z.string().optional(),
});

export interface SavedSearch extends z.output<typeof savedSchema> {
  readonly id: string;
}

export const savedSearchRecords = recordStore('saved-search', savedSchema, Number.POSITIVE_INFINITY);

/** The person who searches, and the channel. */
export interface SearchReader {
  readonly userId: string;
  readonly channelId?: string | undefined;
}

/** Why nothing was saved: another search in the list has the name, there are too many, or the search is deleted. */
export type SavingProblem = 'taken' | 'full' | 'gone';

type Deps = { readonly store: Pick<Store, 'keyv' | 'db' | 'revise'> };

export const savedSearches = {
  /** The person's own searches and the channel's, each by name. */
  async list(deps: Deps, owner: Owner, { userId, channelId }: SearchReader): Promise<readonly SavedSearch[]> {
    const lists = [userId, ...(channelId === undefined ? [] : [channelId])].map((listId) =>
      listOf(deps, owner, listId),
    );
    return (await Promise.all(lists)).flat();
  },

  /** Searches that other people saved for themselves. */
  async ofOthers(deps: Deps, owner: Owner, { userId }: SearchReader): Promise<readonly SavedSearch[]> {
    const all = await listOf(deps, owner);
    return all.filter(({ channel, savedBy }) => channel === undefined && savedBy !== userId);
  },

  /** A search by its id; the caller checks that the reader may see it. */
  async find(deps: Pick<Deps, 'store'>, owner: Owner, id: string): Promise<SavedSearch | undefined> {
    const found = await savedSearchRecords.find(deps, owner, id);
    return found && { id, ...found };
  },

  /** A search by its name, whatever the case; the person's own come first. */
  async named(deps: Deps, owner: Owner, reader: SearchReader, name: string): Promise<SavedSearch | undefined> {
    return (await savedSearches.list(deps, owner, reader)).find((each) => isSame(each.name, name));
  },

  async save(
    deps: Deps & RecordDeps & { readonly clock: Clock },
    owner: Owner,
    search: Pick<SavedSearch, 'name' | 'query' | 'savedBy' | 'channel'>,
  ): Promise<{ readonly saved: SavedSearch } | { readonly problem: SavingProblem }> {
    const listOwner = search.channel ?? search.savedBy;
    const savedOthers = await listOf(deps, owner, listOwner);
    if (savedOthers.some(({ name }) => isSame(name, search.name))) {
      return { problem: 'taken' };
    }
    if (savedOthers.length >= mostSavedSearches) {
      return { problem: 'full' };
    }
    const id = `${prefixOf(listOwner)}${newRecordId(deps.random)}`;
    const saved = { ...search, savedAt: deps.clock.now() };
    await savedSearchRecords.save(deps, owner, saved, id);
    return { saved: { id, ...saved } };
  },

  /** Renames a search; returns undefined, or the reason why it could not. */
  async rename(
    deps: Deps,
    owner: Owner,
    { id, name }: Pick<SavedSearch, 'id' | 'name'>,
  ): Promise<SavingProblem | undefined> {
    const found = await savedSearches.find(deps, owner, id);
    if (!found) {
      return 'gone';
    }
    const others = await listOf(deps, owner, found.channel ?? found.savedBy);
    if (others.some((other) => other.id !== id && isSame(other.name, name))) {
      return 'taken';
    }
    await savedSearchRecords.update(deps, owner, id, (before) => before && { ...before, name });
    return undefined;
  },

  async remove(deps: Deps, owner: Owner, id: string): Promise<void> {
    await savedSearchRecords.update(deps, owner, id, () => undefined);
  },
};

/** The searches of one person or channel, or of all. */
async function listOf(deps: Deps, owner: Owner, listId?: string): Promise<readonly SavedSearch[]> {
  const found = await savedSearchRecords.list(deps, owner, listId === undefined ? '' : prefixOf(listId));
  return found.map(([id, search]) => ({ id, ...search })).toSorted((a, b) => compareNames(a.name, b.name));
}

/** The beginning of the ids of a list's searches: the id of a person or a channel holds no dot. */
function prefixOf(listId: string): string {
  return `${listId}.`;
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
