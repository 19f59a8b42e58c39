/**
 * Cache of the names behind a scan's ids, for answer texts and rules. A device never waits for a name: a missing name
 * is fetched in the background.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.js';
import { type NamesOfScan, namesOfScan, type OwnerNamesDeps, ownerNames } from '../../codereadr/names.js';
import type { NameOf } from '../../codereadr/types.js';
import { type Owner, ownerKey } from '../../ownership.js';
import { agedBy } from '../../read-cache.js';

/** The names in the cache at this moment. */
export type KnownNames = (
  owner: Owner,
  scan: { readonly userid?: string; readonly udid?: string; readonly sid?: string },
) => NamesOfScan;

const freshMs = 5 * 60_000;
const maxOwners = 1_000;

export function createNameCache(deps: OwnerNamesDeps & { readonly clock: Clock }): KnownNames {
  const namesByOwner = new LRUCache<string, NameOf, Owner>({
    max: maxOwners,
    ...agedBy(deps.clock, freshMs),
    allowStale: true,
    fetchMethod: (_key, _stale, { context: owner }) =>
      ownerNames(deps, owner, (names) => names.findNames(['users', 'devices', 'services'], { priority: 'background' })),
  });

  return (owner, scan) => {
    const key = ownerKey(owner);
    const nameOf = namesByOwner.peek(key);
    // Fetched in the background where they are missing or old.
    void namesByOwner.fetch(key, { context: owner });
    return nameOf ? namesOfScan(nameOf, scan) : {};
  };
}
