/** Cached names of the ids in an operation's input and in a relay's rules: reading them costs no call. */
import { namedKind, type OwnerNamesDeps, ownerNames } from '../../codereadr/names.js';
import type { Operation } from '../../codereadr/operations/operation.js';
import type { Account, NameOf } from '../../codereadr/types.js';
import type { Owner } from '../../ownership.js';
import { kindOf, type Rule } from '../../relay/index.js';

/** The names of the ids in an operation's input, by parameter, for its success message. */
export async function cachedNamesIn(
  account: Pick<Account, 'names'>,
  { input }: Pick<Operation, 'input'>,
  values: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, string>>> {
  const resources = Object.entries(input).flatMap(([name, variable]) =>
    (variable.type === 'id' || variable.type === 'ids') && values[name] !== undefined
      ? [{ name, kind: variable.of, ids: [values[name]].flat().map(String) }]
      : [],
  );
  const nameOf = await account.names.cachedNames([...new Set(resources.flatMap(({ kind }) => namedKind(kind) ?? []))]);
  return Object.fromEntries(
    resources.flatMap(({ name, kind, ids }) => {
      const named = ids.flatMap((id) => nameOf(kind, id) ?? []);
      return named.length === ids.length ? [[name, named.map((each, at) => `${each} (ID ${ids[at]})`).join(', ')]] : [];
    }),
  );
}

/** The names in a relay's rules. Never rejects, and never makes an API call. */
export function cachedRuleNames(
  { deps, actor: { owner } }: { readonly deps: OwnerNamesDeps; readonly actor: { readonly owner: Owner } },
  rules: readonly Pick<Rule, 'when' | 'unless'>[],
): Promise<NameOf> {
  const conditions = rules.flatMap(({ when, unless }) => [...when, ...unless]);
  const kinds = new Set(conditions.flatMap((one) => namedKind(kindOf(one).refersTo?.(one) ?? 'scan') ?? []));
  return ownerNames(deps, owner, (names) => names.cachedNames([...kinds]));
}
