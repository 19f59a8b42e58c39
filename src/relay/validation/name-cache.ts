/**
 * Cache of the names behind a scan's ids, for answer texts. A device never waits for a name: a missing one is fetched
 * in the background, and the id stands in for it.
 */

import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.js';
import type { Accounts, Device, ResourceNames, Service, User } from '../../codereadr/types.js';
import { codeOf } from '../../errors.js';
import type { Log } from '../../log.js';
import { type Owner, ownerKey } from '../../ownership.js';
import type { Store } from '../../workspaces/types.js';
import type { AnswerNames } from './result.js';

export interface NameCache {
  /** The names in the cache at this moment. */
  of(owner: Owner, scan: { readonly userid?: string; readonly udid?: string; readonly sid?: string }): AnswerNames;
}

interface AccountNames {
  readonly at: number;
  readonly users: readonly User[];
  readonly devices: readonly Device[];
  readonly services: readonly Service[];
}

const freshMs = 5 * 60_000;
const maxOwners = 1_000;

export function createNameCache(deps: {
  store: Pick<Store, 'workspaces'>;
  accounts: Accounts;
  clock: Clock;
  log: Log;
}): NameCache {
  const { store, accounts, clock, log } = deps;
  const namesByOwner = new LRUCache<string, AccountNames>({ max: maxOwners });
  const fetching = new Set<string>();

  const read = async (owner: Owner): Promise<AccountNames> => {
    const apiKey = await store.workspaces.apiKey(owner);
    const names = apiKey === undefined ? undefined : accounts.open(apiKey).names;
    const list = async <Kind extends 'users' | 'devices' | 'services'>(kind: Kind): Promise<AccountNames[Kind]> =>
      (await (names?.[kind] as ResourceNames[Kind] | undefined)?.({
        priority: 'background',
      })) as AccountNames[Kind];
    const [users = [], devices = [], services = []] = await Promise.all([
      list('users'),
      list('devices'),
      list('services'),
    ]);
    return { at: clock.now(), users, devices, services };
  };

  const fetch = (owner: Owner, key: string, before: AccountNames | undefined): void => {
    if (fetching.has(key)) {
      return;
    }
    fetching.add(key);
    read(owner)
      .catch((error: unknown): AccountNames => {
        log.info({ code: codeOf(error) }, 'names for a relay’s responses could not be fetched');
        return { users: [], devices: [], services: [], ...before, at: clock.now() };
      })
      .then((names) => {
        namesByOwner.set(key, names);
      })
      .finally(() => fetching.delete(key))
      .catch(() => undefined);
  };

  return {
    of(owner, { userid, udid, sid }) {
      const key = ownerKey(owner);
      const book = namesByOwner.get(key);
      if (!book || Math.abs(clock.now() - book.at) >= freshMs) {
        fetch(owner, key, book);
      }
      const user = book?.users.find(({ id }) => id === userid)?.username;
      const device = book?.devices.find((each) => each.udid === udid)?.name;
      const service = book?.services.find(({ id }) => id === sid)?.name;
      return { ...(user && { user }), ...(device && { device }), ...(service && { service }) };
    },
  };
}
