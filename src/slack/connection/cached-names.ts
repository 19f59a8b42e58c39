/**
 * Names behind ids: from the cache, or fetched from the account within a short timeout.
 * An unknown name leaves the id; it is never an error.
 */
import type { Operation, ReferenceKind } from '../../codereadr/operations/operation.js';
import { type Account, AccountError, type CachedResources, type CallOptions } from '../../codereadr/types.js';
import { codeOf } from '../../errors.js';
import type { Condition, Rule } from '../../relay/index.js';
import type { BaseContext } from '../bolt/routing/context.js';

/** The name of a resource; undefined where it is not known. */
export type NameOf = (kind: ReferenceKind, id: string) => string | undefined;

export type NamedKind = keyof CachedResources;

/** A resource whose name the account has not given, or not yet; of a kind without names, the bare id. */
export function unnamed(kind: ReferenceKind, id: string): string {
  return namedKind(kind) === undefined ? `ID ${id}` : `unnamed ${kind} ${id}`;
}

export function unnamedDatabase(id: string): string {
  return unnamed('database', id);
}

/** The cached names of the ids in an operation's input, for its success message. */
export async function cachedNamesIn(
  account: Pick<Account, 'names'>,
  { input }: Pick<Operation, 'input'>,
  given: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, string>>> {
  const resources = Object.entries(input).flatMap(([name, variable]) =>
    (variable.type === 'id' || variable.type === 'ids') && given[name] !== undefined
      ? [{ name, kind: variable.of, ids: [given[name]].flat().map(String) }]
      : [],
  );
  const nameOf = await cachedNames(account, [...new Set(resources.flatMap(({ kind }) => namedKind(kind) ?? []))]);
  return Object.fromEntries(
    resources.flatMap(({ name, kind, ids }) => {
      const named = ids.flatMap((id) => nameOf(kind, id) ?? []);
      return named.length === ids.length ? [[name, named.map((each, at) => `${each} (ID ${ids[at]})`).join(', ')]] : [];
    }),
  );
}

export const noNames: NameOf = () => undefined;

const cacheKinds: Readonly<Partial<Record<ReferenceKind, NamedKind>>> = {
  service: 'services',
  user: 'users',
  device: 'devices',
  database: 'databases',
  question: 'questions',
};

const timeoutMs = 1_500;

/** The cache's key for a kind of resource; undefined for kinds that are not cached. */
export function namedKind(kind: ReferenceKind): NamedKind | undefined {
  return cacheKinds[kind];
}

/** From the cache alone: costs no call. */
export function cachedNames({ names }: Pick<Account, 'names'>, kinds: readonly NamedKind[]): Promise<NameOf> {
  return namesFrom(kinds, async (kind) => (await names.cached(kind)) ?? []);
}

/** At most one call for each kind that is not cached, at background priority and with a short timeout. */
export function fetchNames({ names }: Pick<Account, 'names'>, kinds: readonly NamedKind[]): Promise<NameOf> {
  const options: CallOptions = { priority: 'background', maxWaitMs: 0, signal: AbortSignal.timeout(timeoutMs) };
  return namesFrom(kinds, async (kind) => {
    try {
      return await names[kind](options);
    } catch (error) {
      if (error instanceof AccountError) {
        return [];
      }
      throw error;
    }
  });
}

/** Names of the resources that rules mention. Devices go by udid, as in scans. */
export type RuleNameOf = (kind: RuleSource, id: string) => string | undefined;

export type RuleSource = Extract<ReferenceKind, 'service' | 'user' | 'device' | 'question'>;

export const noRuleNames: RuleNameOf = () => undefined;

/** From the cache alone: costs no call; never rejects. */
export async function cachedRuleNames(
  { deps, actor }: Pick<BaseContext, 'deps' | 'actor'>,
  rules: readonly Pick<Rule, 'when'>[],
): Promise<RuleNameOf> {
  const kinds = new Set(rules.flatMap(({ when }) => namedKind(kindIn(when)) ?? []));
  if (kinds.size === 0) {
    return noRuleNames;
  }
  try {
    const apiKey = await deps.store.workspaces.apiKey(actor.owner);
    if (apiKey === undefined) {
      return noRuleNames;
    }
    const { names } = deps.accounts.open(apiKey);
    return await namesFrom([...kinds], async (kind) => (await names.cached(kind)) ?? [], byScanId);
  } catch (error) {
    deps.log.info({ code: codeOf(error) }, 'rules are shown with ids: their names could not be read');
    return noRuleNames;
  }
}

function kindIn(when: Condition): ReferenceKind {
  switch (when.kind) {
    case 'from':
      return when.what;
    case 'silence':
      return when.of === 'relay' ? 'scan' : when.of;
    case 'answer':
      return 'question';
    default:
      return 'scan';
  }
}

function byScanId(resource: CachedResources[NamedKind]): readonly [id: string, name: string] {
  return 'udid' in resource ? [resource.udid, resource.name] : [resource.id, nameOf(resource)];
}

function asListed(resource: CachedResources[NamedKind]): readonly [id: string, name: string] {
  return [resource.id, nameOf(resource)];
}

async function namesFrom(
  kinds: readonly NamedKind[],
  list: (kind: NamedKind) => Promise<readonly CachedResources[NamedKind][]>,
  entryOf = asListed,
): Promise<NameOf> {
  const names = new Map(
    await Promise.all(
      kinds.map(async (kind) => {
        const resources = await list(kind);
        return [kind, new Map(resources.map(entryOf))] as const;
      }),
    ),
  );
  return (kind, id) => {
    const cacheKind = cacheKinds[kind];
    return (cacheKind && names.get(cacheKind)?.get(id)) || undefined;
  };
}

function nameOf(resource: CachedResources[NamedKind]): string {
  if ('username' in resource) {
    return resource.username;
  }
  if ('text' in resource) {
    return resource.text;
  }
  return 'udid' in resource ? resource.name || resource.udid : resource.name;
}
