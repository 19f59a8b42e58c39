/**
 * The cache of names by id: services, users, devices, databases and questions of one account, fresh for minutes.
 * Concurrent callers share one call; while the account fails, the last known names are served. The cache never sees the
 * API key.
 */
import type { Keyv } from 'keyv';
import { z } from 'zod';
import type { Clock } from '../clock.js';
import { codeOf } from '../errors.js';
import type { Log } from '../log.js';
import { withTimeout } from '../timeout.js';
import { refuseShortPage } from './lists/short-page.js';
import { createNameFinder } from './names.js';
import { questions, retrieveDatabases, retrieveDevices, retrieveServices, retrieveUsers } from './operations/index.js';
import {
  type AccountClient,
  AccountError,
  type CachedResources,
  type CallOptions,
  databaseShape,
  deviceShape,
  type NamedKind,
  questionShape,
  type Service,
  serviceShape,
  userShape,
} from './types.js';

export interface ResourceNamesDeps {
  readonly client: AccountClient;
  /** Identifies the account in a shared cache; it is not the key. */
  readonly accountId: string;
  readonly cache: Keyv;
  readonly clock: Clock;
  readonly log: Log;
}

/** The age up to which names are not fetched again. */
export const freshMs = 5 * 60_000;
/** The age from which names are not served even while the account fails. */
export const maxAgeMs = 24 * 3_600_000;
/** How long an answer is awaited while older names, which no change made outdated, are at hand. */
export const timeoutMs = 1_000;

const recentMs = 2_000;

interface CachedList<Item> {
  readonly at: number;
  readonly items: readonly Item[];
  /** Set after a change: the list is then served only while the account fails. */
  readonly outdated?: boolean | undefined;
}

/** The kinds of names that a change in a section makes outdated: a link is listed on both of its ends. */
const affectedKinds: Readonly<Record<string, readonly NamedKind[]>> = {
  services: ['services', 'users', 'databases'],
  users: ['users', 'services'],
  devices: ['devices'],
  databases: ['databases', 'services'],
  questions: ['services', 'questions'],
};

export function createResourceNames(deps: ResourceNamesDeps) {
  const { client, log } = deps;
  const lists = {
    services: createCachedList(deps, 'services', serviceShape, async (options) => {
      const { count, services } = await client.call(retrieveServices, {}, options);
      refuseShortPage({ count, length: services.length });
      return services.map(withoutUrl);
    }),
    users: createCachedList(deps, 'users', userShape, async (options) => {
      return (await client.call(retrieveUsers, {}, options)).users;
    }),
    devices: createCachedList(deps, 'devices', deviceShape, async (options) => {
      return (await client.call(retrieveDevices, {}, options)).devices;
    }),
    databases: createCachedList(deps, 'databases', databaseShape, async (options) => {
      const { count, databases } = await client.call(retrieveDatabases, {}, options);
      refuseShortPage({ count, length: databases.length });
      return databases;
    }),
    questions: createCachedList(deps, 'questions', questionShape, async (options) => {
      return (await client.call(questions.retrieve, {}, options)).questions;
    }),
  };
  const kinds = Object.keys(lists) as NamedKind[];
  const cached = {
    services: lists.services.get,
    users: lists.users.get,
    devices: lists.devices.get,
    databases: lists.databases.get,
    questions: lists.questions.get,
    cached: <K extends NamedKind>(kind: K) => lists[kind].items() as Promise<readonly CachedResources[K][] | undefined>,
  };
  return {
    ...cached,
    ...createNameFinder(cached, deps),
    forget: async (kind?: NamedKind) => {
      await Promise.all((kind ? [kind] : kinds).map((each) => lists[each].forget()));
    },
    /** Marks names as outdated, after a change in a section of the operations. Never rejects. */
    invalidateSection: async (section: string) => {
      try {
        await Promise.all((affectedKinds[section] ?? []).map((kind) => lists[kind].outdate()));
      } catch (error) {
        log.warn({ section, cause: codeOf(error) }, 'cached names could not be forgotten');
      }
    },
  };
}

/** A postback URL may contain a relay's secret, so it is never cached. */
function withoutUrl({ postbackUrl, ...service }: Service): Service {
  return service;
}

interface NameList<Item> {
  get(options?: CallOptions): Promise<readonly Item[]>;
  items(): Promise<readonly Item[] | undefined>;
  forget(): Promise<void>;
  /** Marks the list as outdated: the next `get` asks the account. */
  outdate(): Promise<void>;
}

function createCachedList<Item>(
  { accountId, cache, clock, log }: ResourceNamesDeps,
  kind: NamedKind,
  item: z.ZodType<Item>,
  load: (options: CallOptions) => Promise<readonly Item[]>,
): NameList<Item> {
  const key = `${kind}:${accountId}`;
  const listSchema: z.ZodType<CachedList<Item>> = z.object({
    at: z.number(),
    items: z.array(item).readonly(),
    outdated: z.boolean().optional(),
  });
  /** Increases with every `forget` and `outdate`: an answer requested before the last one is not cached. */
  let generation = 0;
  /** The latest answer, for `recentMs`: a caller who read the cache just before it was written makes no call. */
  let recentList: (CachedList<Item> & { readonly fetchedAt: number }) | undefined;

  /** The cached list; a cache that fails counts as empty. */
  async function readCached(): Promise<CachedList<Item> | undefined> {
    try {
      const parsed = listSchema.safeParse(await cache.get(key));
      return parsed.success && clock.now() - parsed.data.at < maxAgeMs ? parsed.data : undefined;
    } catch (error) {
      log.warn({ kind, cause: codeOf(error) }, 'cached names could not be read');
      return undefined;
    }
  }

  async function fetch(options: CallOptions): Promise<CachedList<Item>> {
    const startedIn = generation;
    const fetchedAt = clock.now();
    const items = await load(options);
    if (startedIn === generation) {
      recentList = { at: fetchedAt, items, fetchedAt: clock.now() };
      try {
        await cache.set(key, { at: fetchedAt, items } satisfies CachedList<Item>, maxAgeMs);
      } catch (error) {
        log.warn({ kind, cause: codeOf(error) }, 'names could not be cached');
      }
    }
    return { at: fetchedAt, items };
  }

  return {
    get: async ({ answeredAsOf, list: asked, ...options } = {}) => {
      const list = asked ?? { freshMs, waitMs: timeoutMs };
      const storedList = await readCached();
      const lastList = recentList && clock.now() - recentList.fetchedAt < recentMs ? recentList : storedList;
      const now = clock.now();
      const isFresh = lastList && !lastList.outdated && now - lastList.at < list.freshMs && lastList.at <= now;
      const answer = isFresh ? undefined : fetch(options);
      const served =
        answer && lastList
          ? orLast(answer, lastList, {
              evenRefused: asked !== undefined,
              noteFailure: (code) => log.info({ kind, code }, 'older names served'),
            })
          : (answer ?? lastList!);
      // After a change, the caller waits for the new list: the person who made the change wants to see it.
      const isWaitedFor = !lastList || lastList.outdated || isFresh;
      const listed = isWaitedFor
        ? await served
        : ((await withTimeout(clock, list.waitMs, async () => served, undefined)) ?? lastList);
      answeredAsOf?.(listed.at);
      return listed.items;
    },
    items: async () => (await readCached())?.items,
    forget: async () => {
      generation += 1;
      recentList = undefined;
      await cache.delete(key);
    },
    outdate: async () => {
      generation += 1;
      recentList = undefined;
      const cachedList = await readCached();
      if (cachedList) {
        await cache.set(key, { ...cachedList, outdated: true } satisfies CachedList<Item>, maxAgeMs);
      }
    },
  };
}

/**
 * The answer; the last known list where the account fails or the quota is used up. A refusal, as of the key, is no
 * failure: it is thrown, unless the caller said how old a list may be.
 */
function orLast<List>(
  answer: Promise<List>,
  lastList: List,
  options: { readonly evenRefused: boolean; readonly noteFailure: (code: string) => void },
): Promise<List> {
  return answer.catch((error: unknown) => {
    const code = codeOf(error);
    const passing = code === 'account.unreachable' || code === 'account.slow' || code === 'account.broken';
    const refused = options.evenRefused && (code === 'account.key_refused' || code === 'account.refused');
    if (error instanceof AccountError && (passing || refused || code === 'account.quota')) {
      options.noteFailure(code);
      return lastList;
    }
    throw error;
  });
}
