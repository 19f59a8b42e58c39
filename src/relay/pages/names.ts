/**
 * Names for the ids shown on a page, from the cache or from the account within a second. A page never fails for want of
 * names; an id stands in for a name that is missing.
 */

import type { Clock } from '../../clock.js';
import type { Accounts, CallOptions } from '../../codereadr/types.js';
import { codeOf } from '../../errors.js';
import type { Log } from '../../log.js';
import { type Owner, ownerKey } from '../../ownership.js';
import type { WorkspaceStore } from '../../workspaces/types.js';

export interface PageNames {
  device(udid: string): string;
  service(id: string): string;
  user(id: string): string;
}

export type FindPageNames = (owner: Owner) => Promise<PageNames>;

const timeoutMs = 1_000;
/** Pause after the account gave no names: each page would wait in vain. */
const restMs = 30_000;

export function createFindNames(deps: {
  accounts: Pick<Accounts, 'open'>;
  workspaces: Pick<WorkspaceStore, 'apiKey'>;
  clock: Clock;
  log: Log;
}): FindPageNames {
  const { accounts, workspaces, clock, log } = deps;
  const restUntil = new Map<string, number>();

  return async (owner) => {
    const key = ownerKey(owner);
    if (clock.now() < (restUntil.get(key) ?? 0)) {
      return unnamed;
    }
    try {
      const apiKey = await workspaces.apiKey(owner);
      if (apiKey === undefined) {
        return unnamed;
      }
      const { names } = accounts.open(apiKey);
      const how: CallOptions = { priority: 'background', maxWaitMs: 0, signal: AbortSignal.timeout(timeoutMs) };
      const [devices, services, users] = await Promise.all([names.devices(how), names.services(how), names.users(how)]);
      return {
        device: (udid) => devices.find((each) => each.udid === udid)?.name || unnamed.device(udid),
        service: (id) => services.find((each) => each.id === id)?.name || unnamed.service(id),
        user: (id) => users.find((each) => each.id === id)?.username || unnamed.user(id),
      };
    } catch (error) {
      restUntil.set(key, clock.now() + restMs);
      log.info({ code: codeOf(error) }, 'a page shows ids: the names could not be loaded');
      return unnamed;
    }
  };
}

const unnamed: PageNames = {
  device: (udid) => `unnamed device ${udid}`,
  service: (id) => `unnamed service ${id}`,
  user: (id) => `unnamed user ${id}`,
};
