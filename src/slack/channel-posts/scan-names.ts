/**
 * Resolves the names behind a scan's ids. A post never waits long for a name and never fails without one: an unresolved
 * id is shown as it is.
 */

import type { Clock } from '../../clock.js';
import type { Account, Accounts, Device, Service, User } from '../../codereadr/types.js';
import { codeOf } from '../../errors.js';
import type { Log } from '../../log.js';
import { type Owner, ownerKey } from '../../ownership.js';
import type { Post, ReceivedScan } from '../../relay/index.js';
import type { WorkspaceStore } from '../../workspaces/types.js';
import type { PostNames } from './blocks/relay-post.js';
import type { ScanNames } from './blocks/scan-post.js';

export type NamedScan = { readonly [Name in 'sid' | 'userid' | 'udid']?: ReceivedScan[Name] | undefined };
export type ReadScanNames = (owner: Owner, scan: NamedScan) => Promise<ScanNames>;

const timeoutMs = 1_500;
/** The pause after the account failed to give names; otherwise each post would wait in vain. */
const cooldownMs = 30_000;

export interface FindScanNames {
  /** Fetches unknown names if that is quick. */
  readonly find: ReadScanNames;
  /** Cached names only; never an API call. */
  readonly cached: ReadScanNames;
}

export function createScanNames(deps: {
  accounts: Accounts;
  workspaces: Pick<WorkspaceStore, 'apiKey'>;
  clock: Clock;
  log: Log;
}): FindScanNames {
  const { accounts, workspaces, clock, log } = deps;
  const cooldownUntil = new Map<string, number>();

  const namesIn = (
    { sid, userid, udid }: NamedScan,
    [services, users, devices]: readonly [readonly Service[], readonly User[], readonly Device[]],
  ): ScanNames => {
    const service = services.find(({ id }) => id === sid)?.name;
    const user = users.find(({ id }) => id === userid)?.username;
    const device = devices.find((each) => each.udid === udid)?.name;
    return {
      ...(service === undefined ? {} : { service }),
      ...(user === undefined ? {} : { user }),
      ...(device === undefined ? {} : { device }),
    };
  };

  const fetchNames = async ({ names }: Account, scan: NamedScan): Promise<ScanNames> => {
    const options = { priority: 'background', maxWaitMs: 0, signal: AbortSignal.timeout(timeoutMs) } as const;
    const lists = Promise.all([
      scan.sid === undefined ? [] : names.services(options),
      scan.userid === undefined ? [] : names.users(options),
      scan.udid === undefined ? [] : names.devices(options),
    ]);
    return namesIn(scan, await lists);
  };

  const readCached = async ({ names }: Account, scan: NamedScan): Promise<ScanNames> => {
    const [services = [], users = [], devices = []] = await Promise.all([
      names.cached('services'),
      names.cached('users'),
      names.cached('devices'),
    ]);
    return namesIn(scan, [services, users, devices]);
  };

  const find: ReadScanNames = async (owner, scan) => {
    const name = ownerKey(owner);
    if (clock.now() < (cooldownUntil.get(name) ?? 0)) {
      return {};
    }
    try {
      const apiKey = await workspaces.apiKey(owner);
      return apiKey === undefined ? {} : await fetchNames(accounts.open(apiKey), scan);
    } catch (error) {
      cooldownUntil.set(name, clock.now() + cooldownMs);
      log.info({ code: codeOf(error) }, 'posts show ids: the names could not be loaded');
      return {};
    }
  };

  return {
    find,
    cached: async (owner, scan) => {
      try {
        const apiKey = await workspaces.apiKey(owner);
        return apiKey === undefined ? {} : await readCached(accounts.open(apiKey), scan);
      } catch (error) {
        log.info({ code: codeOf(error) }, 'a post shows ids: the cached names could not be read');
        return {};
      }
    },
  };
}

/** As many as a line of services shows. */
const maxServices = 6;

/** Loads the names that a post needs: of its scan, its silent sources and the services it counts. */
export function createPostNames({ find: findNames, cached }: FindScanNames): (post: Post) => Promise<PostNames> {
  return async (post) => {
    switch (post.kind) {
      case 'scan': {
        const { owner, scan } = post;
        const accepted = scan.earlier?.accepted;
        const names = await findNames(owner, scan);
        return { scan: names, services: new Map(), ...(accepted ? { earlier: await cached(owner, accepted) } : {}) };
      }
      case 'burst':
        return { scan: await findNames(post.owner, post.scan), services: new Map() };
      case 'silence': {
        const { of, id } = post.silence;
        const source = id === undefined ? {} : of === 'device' ? { udid: id } : { sid: id };
        return { scan: await findNames(post.owner, source), services: new Map() };
      }
      case 'digest':
      case 'card': {
        const services = new Map<string, string>();
        for (const { serviceId } of post.tally.services.slice(0, maxServices)) {
          // One list of the account's services is enough for all of them.
          const name = serviceId === undefined ? undefined : (await findNames(post.owner, { sid: serviceId })).service;
          if (serviceId !== undefined && name !== undefined) {
            services.set(serviceId, name);
          }
        }
        return { scan: {}, services };
      }
    }
  };
}
