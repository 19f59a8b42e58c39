/**
 * The Slack members that users of the account are linked to: each user to one, and several users may share a member.
 * The links are stored beside the connection, and deleted with it: in another account the ids mean other people.
 */
import { z } from 'zod';
import { recordKey } from '../database/stored-json.js';
import type { Owner } from '../ownership.js';
import { membersRecord, workspaceNamespace } from './settings.js';
import type { Store } from './types.js';

const memberShape = z.object({
  id: z.string(),
  /** The member's name when they were linked: a mention would show the present name, and call them. */
  name: z.string(),
  /** Set if another API key was stored since: the user may be one of another account. */
  unchecked: z.literal(true).optional(),
});
const membersSchema = z.record(z.string(), memberShape);

export type Member = z.output<typeof memberShape>;

/** Members by the user's id in the account. */
export type Members = ReadonlyMap<string, Member>;

export const noMembers: Members = new Map();

export async function membersOf({ store }: { readonly store: Pick<Store, 'keyv'> }, owner: Owner): Promise<Members> {
  const stored = await store.keyv<unknown>(workspaceNamespace).get(recordKey(owner, membersRecord));
  return new Map(Object.entries(membersSchema.safeParse(stored).data ?? {}));
}

/** Links a user of the account to a member; an undefined member unlinks the user. Resolves to the former member. */
export async function linkMember(
  { store }: { readonly store: Pick<Store, 'revise'> },
  owner: Owner,
  userId: string,
  member: Member | undefined,
): Promise<Member | undefined> {
  let before: Member | undefined;
  await store.revise(workspaceNamespace, recordKey(owner, membersRecord), (stored) => {
    const { [userId]: memberBefore, ...others } = membersSchema.safeParse(stored).data ?? {};
    before = memberBefore;
    const now = member ? { ...others, [userId]: member } : others;
    return Object.keys(now).length > 0 ? now : undefined;
  });
  return before;
}

/** Marks all links as unchecked before another API key is stored, whose account may have other users. */
export function uncheckMembers(deps: { readonly store: Pick<Store, 'revise'> }, owner: Owner): Promise<void> {
  return changeEach(deps, owner, (_userId, member) => ({ ...member, unchecked: true }));
}

/** Unlinks every user but these: the others are of a former account. The links of these count as checked again. */
export function keepMembers(
  deps: { readonly store: Pick<Store, 'revise'> },
  owner: Owner,
  userIds: ReadonlySet<string>,
): Promise<void> {
  return changeEach(deps, owner, (userId, { id, name }) => (userIds.has(userId) ? { id, name } : undefined));
}

async function changeEach(
  { store }: { readonly store: Pick<Store, 'revise'> },
  owner: Owner,
  change: (userId: string, member: Member) => Member | undefined,
): Promise<void> {
  await store.revise(workspaceNamespace, recordKey(owner, membersRecord), (stored) => {
    const changed = Object.entries(membersSchema.safeParse(stored).data ?? {}).flatMap(([userId, member]) => {
      const now = change(userId, member);
      return now ? [[userId, now] as const] : [];
    });
    return changed.length > 0 ? Object.fromEntries(changed) : undefined;
  });
}

/** The user's name with the member's, where the two differ. */
export function nameWithMember(name: string | undefined, member: Member | undefined): string | undefined {
  if (!member || !name) {
    return member?.name ?? name;
  }
  return name.toLowerCase() === member.name.toLowerCase() ? name : `${name} (${member.name})`;
}
