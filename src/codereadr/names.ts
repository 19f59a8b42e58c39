/** Names behind ids, from the name cache or the account. An unknown name is undefined, never an error. */
import type { Clock } from '../clock.js';
import { codeOf } from '../errors.js';
import type { Log } from '../log.js';
import { type Owner, ownerKey } from '../ownership.js';
import type { ReferenceKind } from './operations/operation.js';
import type { Accounts, CachedResources, CallOptions, NamedKind, NameOf, ResourceNames } from './types.js';

export const noNames: NameOf = () => undefined;

const namedKinds: Readonly<Partial<Record<ReferenceKind, NamedKind>>> = {
  service: 'services',
  user: 'users',
  device: 'devices',
  database: 'databases',
  question: 'questions',
};

/** The kind's name in `CachedResources`; undefined for kinds without names. */
export function namedKind(kind: ReferenceKind): NamedKind | undefined {
  return namedKinds[kind];
}

/** The text in place of a name that the account has not given (yet); for a kind without names, `ID` and the id. */
export function unnamed(kind: ReferenceKind, id: string): string {
  return namedKind(kind) === undefined ? `ID ${id}` : `unnamed ${kind} ${id}`;
}

/** A resource's name in lists; a device without a name is listed by its udid. */
export function resourceName(resource: CachedResources[NamedKind]): string {
  if ('username' in resource) {
    return resource.username;
  }
  if ('text' in resource) {
    return resource.text;
  }
  return 'udid' in resource ? resource.name || resource.udid : resource.name;
}

export interface NamesOfScan {
  readonly service?: string;
  readonly user?: string;
  readonly device?: string;
}

/** The names behind a scan's ids, where known. */
export function namesOfScan(
  nameOf: NameOf,
  { sid, userid, udid }: { readonly [Id in 'sid' | 'userid' | 'udid']?: string | undefined },
): NamesOfScan {
  const service = sid === undefined ? undefined : nameOf('service', sid);
  const user = userid === undefined ? undefined : nameOf('user', userid);
  const device = udid === undefined ? undefined : nameOf('device', udid);
  return { ...(service && { service }), ...(user && { user }), ...(device && { device }) };
}

/** The limits with which a post, a page or a form waits for names. */
const backgroundOptions = () => ({ priority: 'background', maxWaitMs: 0, signal: AbortSignal.timeout(1_500) }) as const;
/** The pause after the account gave no names of a kind; without the pause, each caller would wait in vain. */
const pauseMs = 30_000;

type Lists = Pick<ResourceNames, NamedKind | 'cached'>;

export function createNameFinder(
  lists: Lists,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Pick<ResourceNames, 'cachedNames' | 'findNames'> {
  let pausedUntil = 0;
  const cached = async (kind: NamedKind) => (await lists.cached(kind)) ?? [];
  const find = async (kind: NamedKind, options: CallOptions) => {
    if (clock.now() < pausedUntil) {
      return cached(kind);
    }
    try {
      return await lists[kind](options);
    } catch (error) {
      pausedUntil = clock.now() + pauseMs;
      log.info({ kind, code: codeOf(error) }, 'ids are shown: the names could not be loaded');
      return cached(kind);
    }
  };
  return {
    cachedNames: (kinds) => namesFrom(kinds, cached),
    findNames: (kinds, options = backgroundOptions()) => namesFrom(kinds, (kind) => find(kind, options)),
  };
}

async function namesFrom(
  kinds: readonly NamedKind[],
  list: (kind: NamedKind) => Promise<readonly CachedResources[NamedKind][]>,
): Promise<NameOf> {
  const names = new Map(
    await Promise.all(kinds.map(async (kind) => [kind, new Map((await list(kind)).flatMap(entriesOf))] as const)),
  );
  return (kind, id) => {
    const named = namedKind(kind);
    return (named && names.get(named)?.get(id)) || undefined;
  };
}

/** A resource's name by each of its ids: scans identify a device by its udid. */
function entriesOf(resource: CachedResources[NamedKind]): (readonly [id: string, name: string])[] {
  const byId = [resource.id, resourceName(resource)] as const;
  return 'udid' in resource ? [[resource.udid, resource.name], byId] : [byId];
}

export interface OwnerNamesDeps {
  readonly accounts: Pick<Accounts, 'open'>;
  readonly store: { readonly workspaces: { apiKey(owner: Owner): Promise<string | undefined> } };
  readonly log: Log;
}

/** Names of the account that an owner has connected, if any. Never rejects. */
export async function ownerNames(
  { accounts, store, log }: OwnerNamesDeps,
  owner: Owner,
  read: (names: ResourceNames) => Promise<NameOf>,
): Promise<NameOf> {
  try {
    const apiKey = await store.workspaces.apiKey(owner);
    return apiKey === undefined ? noNames : await read(accounts.open(apiKey).names);
  } catch (error) {
    log.info({ code: codeOf(error), owner: ownerKey(owner) }, 'ids are shown: the names could not be read');
    return noNames;
  }
}
