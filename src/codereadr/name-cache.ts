/**
 * Owns the names behind ids: services, users, devices, databases and questions of one account, kept for minutes in a cache
 * that is handed in. Many askers make one call; while the account is in trouble the last known names serve.
 * Refuses to know what the cache is made of, and never lets it see the API key.
 */
import type { Keyv } from 'keyv';
import { z } from 'zod';
import type { Clock } from '../clock.js';
import { codeOf } from '../errors.js';
import type { Log } from '../log.js';
import { questions, retrieveDatabases, retrieveDevices, retrieveServices, retrieveUsers } from './operations/index.js';
import type { Question } from './types.js';
import {
  type AccountClient,
  AccountError,
  type CachedResources,
  type CallOptions,
  type Database,
  type Device,
  type NamesAndLists,
  type Service,
  type User,
} from './types.js';

export interface ReferenceDeps {
  readonly client: AccountClient;
  /** Tells accounts apart in a cache that all share; not the key. */
  readonly accountId: string;
  readonly cache: Keyv;
  readonly clock: Clock;
  readonly log: Log;
}

/** Younger than this, names are not asked for again. */
export const freshMs = 5 * 60_000;
/** Older than this, they are not even served in trouble. */
export const keptMs = 24 * 3_600_000;
/** How long an answer is awaited while older names are at hand. */
export const patienceMs = 1_000;

const landingMs = 2_000;

const text = z.string();
const texts = z.array(z.string()).readonly();

const service = z.object({
  id: text,
  name: text,
  validationMethod: text,
  databaseId: text.optional(),
  duplicateScanValue: text.optional(),
  description: text.optional(),
  userIds: texts,
  questionIds: texts,
});

const user = z.object({
  id: text,
  username: text,
  serviceIds: texts,
  limit: text.optional(),
  created: text.optional(),
});

const device = z.object({ id: text, udid: text, name: text, created: text.optional() });

const database = z.object({
  id: text,
  name: text,
  count: z.number().optional(),
  serviceIds: texts,
  caseSensitive: z.boolean().optional(),
});

const question = z.object({
  id: text,
  text,
  type: text,
  answers: z.array(z.object({ id: text, text })).readonly(),
});

interface Kept<Item> {
  readonly at: number;
  readonly items: readonly Item[];
}

type Kind = keyof CachedResources;

/** What a change in a section makes doubtful: links are told on both of their ends. */
const touched: Readonly<Record<string, readonly Kind[]>> = {
  services: ['services', 'users', 'databases'],
  users: ['users', 'services'],
  devices: ['devices'],
  databases: ['databases', 'services'],
  questions: ['services', 'questions'],
};

export interface OwnReference extends NamesAndLists {
  /** After a change in a section of the catalogue. Never rejects. */
  forgetSection(section: string): Promise<void>;
}

export function createReference(deps: ReferenceDeps): OwnReference {
  const { client, log } = deps;
  const lists = {
    services: createList<Service>(deps, 'services', service, async (options) => {
      return (await client.call(retrieveServices, {}, options)).services.map(withoutUrl);
    }),
    users: createList<User>(deps, 'users', user, async (options) => {
      return (await client.call(retrieveUsers, {}, options)).users;
    }),
    devices: createList<Device>(deps, 'devices', device, async (options) => {
      return (await client.call(retrieveDevices, {}, options)).devices;
    }),
    databases: createList<Database>(deps, 'databases', database, async (options) => {
      return (await client.call(retrieveDatabases, {}, options)).databases;
    }),
    questions: createList<Question>(deps, 'questions', question, async (options) => {
      return (await client.call(questions.retrieve, {}, options)).questions;
    }),
  };
  const kinds = Object.keys(lists) as Kind[];
  const forgetAll = async (which: readonly Kind[]) => {
    await Promise.all(which.map((kind) => lists[kind].forget()));
  };
  return {
    services: lists.services.get,
    users: lists.users.get,
    devices: lists.devices.get,
    databases: lists.databases.get,
    questions: lists.questions.get,
    known: <K extends Kind>(kind: K) => lists[kind].known() as Promise<readonly CachedResources[K][] | undefined>,
    forget: (kind) => forgetAll(kind ? [kind] : kinds),
    forgetSection: async (section) => {
      try {
        await forgetAll(touched[section] ?? []);
      } catch (error) {
        log.warn({ section, cause: codeOf(error) }, 'cached names could not be forgotten');
      }
    },
  };
}

/** A postback URL may hold a relay's secret: it is no name, and no business of a cache. */
function withoutUrl({ postbackUrl, ...service }: Service): Service {
  return service;
}

interface List<Item> {
  get(options?: CallOptions): Promise<readonly Item[]>;
  known(): Promise<readonly Item[] | undefined>;
  forget(): Promise<void>;
}

function createList<Item>(
  { accountId, cache, clock, log }: ReferenceDeps,
  kind: Kind,
  item: z.ZodType<Item>,
  ask: (options: CallOptions) => Promise<readonly Item[]>,
): List<Item> {
  const key = `${kind}:${accountId}`;
  const shape: z.ZodType<Kept<Item>> = z.object({ at: z.number(), items: z.array(item).readonly() });
  /** Goes up with every `forget`: an answer asked for before it is not kept. */
  let era = 0;
  /** The latest answer while the cache may not tell it yet: whoever looked in just before it was written asks nothing. */
  let landed: (Kept<Item> & { readonly landedAt: number }) | undefined;

  /** A cache in trouble is a cache that holds nothing. */
  async function kept(): Promise<Kept<Item> | undefined> {
    try {
      const parsed = shape.safeParse(await cache.get(key));
      return parsed.success && clock.now() - parsed.data.at < keptMs ? parsed.data : undefined;
    } catch (error) {
      log.warn({ kind, cause: codeOf(error) }, 'cached names could not be read');
      return undefined;
    }
  }

  async function fetch(options: CallOptions): Promise<readonly Item[]> {
    const began = era;
    const at = clock.now();
    const items = await ask(options);
    if (began === era) {
      landed = { at, items, landedAt: clock.now() };
      try {
        await cache.set(key, { at, items } satisfies Kept<Item>, keptMs);
      } catch (error) {
        log.warn({ kind, cause: codeOf(error) }, 'names could not be cached');
      }
    }
    return items;
  }

  return {
    get: async (options = {}) => {
      const told = await kept();
      const last = landed && clock.now() - landed.landedAt < landingMs ? landed : told;
      if (last && clock.now() - last.at < freshMs && last.at <= clock.now()) {
        return last.items;
      }
      const answer = fetch(options);
      if (!last) {
        return await answer;
      }
      return await orLast(answer, last.items, clock, (code) => log.info({ kind, code }, 'older names served'));
    },
    known: async () => (await kept())?.items,
    forget: async () => {
      era += 1;
      landed = undefined;
      await cache.delete(key);
    },
  };
}

/** The answer, or what is known already where the answer is in trouble or takes long. A refused key is no trouble. */
async function orLast<Item>(
  answer: Promise<readonly Item[]>,
  last: readonly Item[],
  clock: Clock,
  note: (code: string) => void,
): Promise<readonly Item[]> {
  const answered = new AbortController();
  const served = answer.catch((error: unknown) => {
    const code = codeOf(error);
    const passing = code === 'account.unreachable' || code === 'account.slow' || code === 'account.broken';
    if (error instanceof AccountError && (passing || code === 'account.quota')) {
      note(code);
      return last;
    }
    throw error;
  });
  const late = clock.sleep(patienceMs, answered.signal).then(
    () => {
      note('late');
      return last;
    },
    () => served,
  );
  try {
    return await Promise.race([served, late]);
  } finally {
    answered.abort();
    // When the older names went out first, nobody is left to hear of a failure.
    served.catch(() => {});
  }
}
