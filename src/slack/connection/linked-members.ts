/** The Slack members linked to the account's users. An earlier API key's links count once this account lists them. */
import type { OwnerNamesDeps } from '../../codereadr/names.js';
import { codeOf } from '../../errors.js';
import type { Owner } from '../../ownership.js';
import type { SeenScan } from '../../scans/seen-scan.js';
import { keepMembers, type Members, membersOf, nameWithMember, noMembers } from '../../workspaces/members.js';
import type { Store } from '../../workspaces/types.js';

/** How long drawing a name waits for the links. */
const quickMs = 1_500;

type Deps = OwnerNamesDeps & { readonly store: Pick<Store, 'keyv' | 'revise'> };

export async function linkedMembers(deps: Deps, owner: Owner): Promise<Members> {
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

/** The linked members; none where they cannot be read: a name is never worth failing for. */
export async function readableMembers(deps: Deps, owner: Owner): Promise<Members> {
  try {
    return await linkedMembers(deps, owner);
  } catch (error) {
    deps.log.warn({ err: error, code: codeOf(error) }, 'users are shown without the names of linked members');
    return noMembers;
  }
}

/** Scans with their users' names in Slack. The names are no mentions: these would notify people. */
export async function withMembers(deps: Deps, owner: Owner, scans: readonly SeenScan[]): Promise<readonly SeenScan[]> {
  const members = await readableMembers(deps, owner);
  return scans.map((scan) => {
    const name = nameWithMember(scan.user.name, members.get(scan.user.id));
    return name === undefined ? scan : { ...scan, user: { ...scan.user, name } };
  });
}
