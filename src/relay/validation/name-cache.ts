/**
 * Cache of the names behind a scan's ids, for answer texts and rules. A device never waits for a name: a missing name
 * is fetched in the background.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.js';
import { type NamesOfScan, namesOfScan, type OwnerNamesDeps, ownerNames } from '../../codereadr/names.js';
import type { NameOf } from '../../codereadr/types.js';
import { type Owner, ownerKey } from '../../ownership.js';

/** The names in the cache at this moment. */
export type KnownNames = (
  owner: Owner,
  scan: { readonly userid?: string; readonly udid?: string; readonly sid?: string },
) => NamesOfScan;

const freshMs = 5 * 60_000;
const maxOwners = 1_000;

export function createNameCache(deps: OwnerNamesDeps & { readonly clock: Clock }): KnownNames {
  const { clock } = deps;
  const namesByOwner = new LRUCache<string, { readonly at: number; readonly nameOf: NameOf }>({ max: maxOwners });
  const fetching = new Set<string>();

  const fetch = async (owner: Owner, key: string): Promise<void> => {
    fetching.add(key);
    const nameOf = await ownerNames(deps, owner, (names) =>
      names.findNames(['users', 'devices', 'services'], { priority: 'background' }),
    );
    namesByOwner.set(key, { at: clock.now(), nameOf });
    fetching.delete(key);
  };

  return (owner, scan) => {
    const key = ownerKey(owner);
    const cached = namesByOwner.get(key);
    if ((!cached || Math.abs(clock.now() - cached.at) >= freshMs) && !fetching.has(key)) {
      void fetch(owner, key);
    }
    return cached ? namesOfScan(cached.nameOf, scan) : {};
  };
}
