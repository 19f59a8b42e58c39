/** Which Slack members the account's users are. Links of an earlier API key count once this account lists their users. */
import type { OwnerNamesDeps } from '../../codereadr/names.js';
import { codeOf } from '../../errors.js';
import type { Owner } from '../../ownership.js';
import { keepMembers, type Members, membersOf } from '../../workspaces/members.js';
import type { Store } from '../../workspaces/types.js';

/** Whoever draws a name waits no longer. */
const quickMs = 1_500;

export async function linkedMembers(
  deps: OwnerNamesDeps & { readonly store: Pick<Store, 'keyv' | 'revise'> },
  owner: Owner,
): Promise<Members> {
  const members = await membersOf(deps, owner);
  const apiKey = [...members.values()].some(({ unchecked }) => unchecked)
    ? await deps.store.workspaces.apiKey(owner)
    : undefined;
  if (apiKey === undefined) {
    return members;
  }
  try {
    const { names } = deps.accounts.open(apiKey);
    const users = await names.users({ priority: 'background', maxWaitMs: 0, signal: AbortSignal.timeout(quickMs) });
    await keepMembers(deps, owner, new Set(users.map(({ id }) => id)));
    return await membersOf(deps, owner);
  } catch (error) {
    deps.log.info({ code: codeOf(error) }, 'links of an earlier API key are not shown: the users could not be listed');
    return new Map([...members].filter(([, { unchecked }]) => !unchecked));
  }
}
