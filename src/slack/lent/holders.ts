/** The names of who has a thing or is inside: as the list's scans say, else the scan's user, with a linked member. */
import { type OwnerNamesDeps, ownerNames, unnamed } from '../../codereadr/names.js';
import type { Owner } from '../../ownership.js';
import type { Place } from '../../places/index.js';
import { nameWithMember } from '../../workspaces/members.js';
import type { Store } from '../../workspaces/types.js';
import { readableMembers } from '../connection/linked-members.js';

export type HolderDeps = OwnerNamesDeps & { readonly store: Pick<Store, 'workspaces' | 'keyv' | 'revise'> };

export async function holderNames(deps: HolderDeps, owner: Owner) {
  const [members, nameOf] = await Promise.all([
    readableMembers(deps, owner),
    ownerNames(deps, owner, (names) => names.findNames(['users', 'devices'])),
  ]);
  return {
    /** The name of the holder; undefined where the scan names nobody. */
    holder: ({ holder, user }: Pick<Place, 'holder' | 'user'>) =>
      holder ??
      (user === '' ? undefined : nameWithMember(nameOf('user', user) ?? unnamed('user', user), members.get(user))),
    /** The Slack member who has the thing. */
    member: ({ user }: Pick<Place, 'user'>) => members.get(user),
    /** The name of the device at a gate; undefined where the scan names none. */
    gate: (gate: string) => (gate === '' ? undefined : (nameOf('device', gate) ?? gate)),
  };
}

export type HolderNames = Awaited<ReturnType<typeof holderNames>>;
