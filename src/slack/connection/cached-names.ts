/**
 * Owns the names behind ids for pages that show ids: as far as they are kept, or asked for where somebody can wait a moment.
 * What is not known stays an id; a name is never worth an error.
 */
import type { Operation, ReferenceKind } from '../../codereadr/operations/operation.js';
import { type Account, AccountError, type CachedResources, type CallOptions } from '../../codereadr/types.js';
import { codeOf } from '../../errors.js';
import type { Condition, Rule } from '../../relay/index.js';
import type { BaseContext } from '../bolt/routing/context.js';

/** The name of a thing; undefined where it is not known. */
export type NameOf = (kind: ReferenceKind, id: string) => string | undefined;

export type NamedKind = keyof CachedResources;

/** Stands for a database of which the account has not told the name, or not yet. */
export function unnamedDatabase(id: string): string {
  return `a database (id ${id})`;
}

/** What the ids in an operation's input are called, as far as that is kept: for the words that name them. */
export async function keptNamesIn(
  account: Pick<Account, 'reference'>,
  { input }: Pick<Operation, 'input'>,
  given: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, string>>> {
  const things = Object.entries(input).flatMap(([name, variable]) =>
    (variable.type === 'id' || variable.type === 'ids') && given[name] !== undefined
      ? [{ name, kind: variable.of, ids: [given[name]].flat().map(String) }]
      : [],
  );
  const nameOf = await knownNames(account, [...new Set(things.flatMap(({ kind }) => namedKind(kind) ?? []))]);
  return Object.fromEntries(
    things.flatMap(({ name, kind, ids }) => {
      const named = ids.flatMap((id) => nameOf(kind, id) ?? []);
      return named.length === ids.length ? [[name, named.map((each, at) => `${each} (id ${ids[at]})`).join(', ')]] : [];
    }),
  );
}

export const noNames: NameOf = () => undefined;

const keptAs: Readonly<Partial<Record<ReferenceKind, NamedKind>>> = {
  service: 'services',
  user: 'users',
  device: 'devices',
  database: 'databases',
  question: 'questions',
};

const patienceMs = 1_500;

/** Under which the names of a kind are kept; undefined where they are not. */
export function namedKind(kind: ReferenceKind): NamedKind | undefined {
  return keptAs[kind];
}

/** No call is spent. */
export function knownNames({ reference }: Pick<Account, 'reference'>, kinds: readonly NamedKind[]): Promise<NameOf> {
  return namesFrom(kinds, async (kind) => (await reference.known(kind)) ?? []);
}

/** One call at most for each kind that is not kept; behind everybody else's, and not for long. */
export function askedNames({ reference }: Pick<Account, 'reference'>, kinds: readonly NamedKind[]): Promise<NameOf> {
  const options: CallOptions = { priority: 'background', maxWaitMs: 0, signal: AbortSignal.timeout(patienceMs) };
  return namesFrom(kinds, async (kind) => {
    try {
      return await reference[kind](options);
    } catch (error) {
      if (error instanceof AccountError) {
        return [];
      }
      throw error;
    }
  });
}

/** The names of what rules speak of. A device by its udid, as scans tell it. */
export type RuleNameOf = (kind: RuleThing, id: string) => string | undefined;

export type RuleThing = Extract<ReferenceKind, 'service' | 'user' | 'device' | 'question'>;

export const noRuleNames: RuleNameOf = () => undefined;

/** No call is spent; never rejects. */
export async function knownRuleNames(
  { deps, asker }: Pick<BaseContext, 'deps' | 'asker'>,
  rules: readonly Pick<Rule, 'when'>[],
): Promise<RuleNameOf> {
  const kinds = new Set(rules.flatMap(({ when }) => namedKind(thingIn(when)) ?? []));
  if (kinds.size === 0) {
    return noRuleNames;
  }
  try {
    const apiKey = await deps.store.workspaces.apiKey(asker.owner);
    if (apiKey === undefined) {
      return noRuleNames;
    }
    const { reference } = deps.accounts.open(apiKey);
    return await namesFrom([...kinds], async (kind) => (await reference.known(kind)) ?? [], asScansTell);
  } catch (error) {
    deps.log.info({ code: codeOf(error) }, 'rules are shown with ids: their names could not be read');
    return noRuleNames;
  }
}

function thingIn(when: Condition): ReferenceKind {
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

function asScansTell(thing: CachedResources[NamedKind]): readonly [id: string, name: string] {
  return 'udid' in thing ? [thing.udid, thing.name] : [thing.id, nameOf(thing)];
}

function asListed(thing: CachedResources[NamedKind]): readonly [id: string, name: string] {
  return [thing.id, nameOf(thing)];
}

async function namesFrom(
  kinds: readonly NamedKind[],
  list: (kind: NamedKind) => Promise<readonly CachedResources[NamedKind][]>,
  entryOf = asListed,
): Promise<NameOf> {
  const names = new Map(
    await Promise.all(
      kinds.map(async (kind) => {
        const things = await list(kind);
        return [kind, new Map(things.map(entryOf))] as const;
      }),
    ),
  );
  return (kind, id) => {
    const kept = keptAs[kind];
    return (kept && names.get(kept)?.get(id)) || undefined;
  };
}

function nameOf(thing: CachedResources[NamedKind]): string {
  if ('username' in thing) {
    return thing.username;
  }
  if ('text' in thing) {
    return thing.text;
  }
  return 'udid' in thing ? thing.name || thing.udid : thing.name;
}
