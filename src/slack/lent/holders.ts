/** The names of who has a thing, or is inside: of a list's own choice, else the scan's user, as a Slack member where linked. */
import { type OwnerNamesDeps, ownerNames, unnamed } from '../../codereadr/names.js';
import type { Owner } from '../../ownership.js';
import type { Place } from '../../places/index.js';
import { type Member, nameWithMember } from '../../workspaces/members.js';
import type { Store } from '../../workspaces/types.js';
import { linkedMembers } from '../connection/linked-members.js';

export interface HolderNames {
  /** The name of the holder; undefined where the scan names nobody. */
  holder(place: Pick<Place, 'holder' | 'user'>): string | undefined;
  /** The Slack member who has the thing. */
  member(place: Pick<Place, 'user'>): Member | undefined;
  /** The name of the device at a gate; undefined where the scan names none. */
  gate(gate: string): string | undefined;
}

export type HolderDeps = OwnerNamesDeps & { readonly store: Pick<Store, 'workspaces' | 'keyv' | 'revise'> };

export async function holderNames(deps: HolderDeps, owner: Owner): Promise<HolderNames> {
  const [members, nameOf] = await Promise.all([
    linkedMembers(deps, owner),
    ownerNames(deps, owner, (names) => names.findNames(['users', 'devices'])),
  ]);
  return {
    holder: ({ holder, user }) =>
      holder ??
      (user === '' ? undefined : nameWithMember(nameOf('user', user) ?? unnamed('user', user), members.get(user))),
    member: ({ user }) => members.get(user),
    gate: (gate) => (gate === '' ? undefined : (nameOf('device', gate) ?? gate)),
  };
}
