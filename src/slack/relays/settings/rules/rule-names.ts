/** The names behind a rule's ids, for its form. They are optional: an id without a name is shown as it is. */
import { kindOf, type Rule } from '../../../../relay/index.js';
import { type Option, option } from '../../../block-kit/elements.js';
import { settled } from '../../../block-kit/text.js';
import { userGroups } from '../../../connection/access/access.js';
import { accountOf } from '../../../connection/account.js';
import type { FormScope } from '../../../forms/settings-form.js';
import { resourceOption, resourcesOf } from '../../../operations/form/resources.js';
import type { RuleFormSource } from './fields.js';

type NamedOption = readonly [kind: Parameters<RuleFormSource['nameOf']>[0], option: Option];

/** @param groups the workspace's user groups */
export async function namesIn(
  context: FormScope,
  rule: Rule | undefined,
  groups: readonly Option[],
): Promise<RuleFormSource['nameOf']> {
  const names = await namesFor(context, rule);
  return (kind, id) =>
    kind === 'group'
      ? groups.find((group) => group.value === id)
      : names.find(([named, { value }]) => named === kind && value === id)?.[1];
}

async function namesFor({ deps, actor }: FormScope, rule: Rule | undefined): Promise<readonly NamedOption[]> {
  const conditions = [...(rule?.when ?? []), ...(rule?.unless ?? [])];
  const kinds = [...new Set(conditions.flatMap((one) => kindOf(one).refersTo?.(one) ?? []))].filter(isNamed);
  try {
    return (await Promise.all(kinds.map((kind) => namesOfKind(deps, actor, kind)))).flat();
  } catch {
    return [];
  }
}

const namedKinds = ['service', 'user', 'device', 'question'] as const;
type NamedKind = (typeof namedKinds)[number];

function isNamed(kind: string): kind is NamedKind {
  return (namedKinds as readonly string[]).includes(kind);
}

async function namesOfKind(
  deps: FormScope['deps'],
  actor: FormScope['actor'],
  kind: NamedKind,
): Promise<readonly NamedOption[]> {
  const account = await accountOf(deps, actor.owner);
  if (kind === 'device') {
    const devices = await account.names.devices();
    return devices.map(({ udid, name }): NamedOption => ['device', option(settled(name || udid), udid)]);
  }
  return (await resourcesOf(account, kind)).map((resource): NamedOption => [kind, resourceOption(resource)]);
}

/** The workspace's user groups; none if Slack does not list them. */
export async function groupsOf({ client, deps, reference }: FormScope): Promise<readonly Option[]> {
  try {
    return (await userGroups(client)).map(({ id, name }) => option(settled(name), id));
  } catch (error) {
    deps.log.info({ err: error, reference }, 'user groups could not be listed for a rule');
    return [];
  }
}
