/**
 * Roles and permissions. Full members read; admins, owners and people with access also change settings.
 * Guests and people of other organizations do neither. If Slack cannot say who somebody is, the answer is no.
 */
import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../../clock.js';
import type { Log } from '../../../log.js';
import { type Owner, ownerKey } from '../../../ownership.js';
import { createReadCache } from '../../../read-cache.js';
import { withTimeout } from '../../../timeout.js';
import type { Store } from '../../../workspaces/types.js';
import type { ModalView } from '../../block-kit/elements.js';
import { SlackError, slackErrorCode } from '../errors.js';
import { loadingView } from '../problem/loading.js';
import type { Actor } from '../routing/deps.js';
import { isAdminOf } from './admins.js';
import { readUser, type SlackUser } from './users-info.js';

export type RequiredRole = 'everyone' | 'manager' | 'admin';

export interface Person {
  readonly id: string;
  readonly role: 'admin' | 'member' | 'guest' | 'external' | 'bot' | 'deactivated';
  /** IANA zone of the person's Slack profile. */
  readonly zone?: string;
}

export interface Ineligible {
  readonly id: string;
  readonly role: Exclude<Person['role'], 'admin' | 'member'>;
}

const cached = { max: 10_000, ttl: 60_000 };

const hiddenCodes: ReadonlySet<string> = new Set(['user_not_found', 'user_not_visible']);

export function createPermissions(deps: {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Pick<Store, 'workspaces'>;
}) {
  const people = createReadCache<Person>(deps.clock, cached);
  const groups = createReadCache<ReadonlySet<string>>(deps.clock, cached);

  function personOf(client: WebClient, actor: Actor): Promise<Person> {
    return people(`${ownerKey(actor.owner)}:${actor.userId}`, async () => {
      const user = await readUser(client, actor.userId);
      const zone = user.tz ? { zone: user.tz } : {};
      return { id: user.id, role: roleOf(user, actor), ...zone };
    });
  }

  async function hasAccess(client: WebClient, actor: Actor): Promise<boolean> {
    const { managers } = await deps.store.workspaces.settings(actor.owner);
    if (!managers) return false;
    if (managers.users.includes(actor.userId)) return true;
    const memberships = await Promise.all(
      managers.groups.map((group) =>
        groups(`${ownerKey(actor.owner)}:${group}`, async () => {
          const { users } = await client.usergroups.users.list({ usergroup: group });
          return new Set(users ?? []);
        }).catch((error: unknown) => {
          // A deleted group must not lock out the members of other groups.
          deps.log.warn({ err: error, group }, 'the members of a user group could not be read');
          return new Set<string>();
        }),
      ),
    );
    return memberships.some((members) => members.has(actor.userId));
  }

  async function require(client: WebClient, actor: Actor, requiredRole: RequiredRole): Promise<Person> {
    let person: Person;
    try {
      person = await personOf(client, actor);
    } catch (error) {
      // In a shared channel, Slack hides some people from an app of another workspace.
      const why = hiddenCodes.has(slackErrorCode(error) ?? '') ? 'external' : 'unknown';
      throw new SlackError('slack.not_allowed', `users.info did not identify ${actor.userId}`, { cause: error, why });
    }
    if (person.role !== 'admin' && person.role !== 'member') {
      const why = person.role;
      throw new SlackError('slack.not_allowed', `${actor.userId} is not a full member: ${why}`, { why });
    }
    if (requiredRole === 'admin' && person.role !== 'admin') {
      throw new SlackError('slack.not_allowed', `${actor.userId} is not an admin`, { why: 'not_admin' });
    }
    if (requiredRole === 'manager' && person.role !== 'admin' && !(await hasAccess(client, actor))) {
      throw new SlackError('slack.not_allowed', `${actor.userId} is neither an admin nor has access`, {
        why: 'not_manager',
      });
    }
    return person;
  }

  async function ineligible(
    client: WebClient,
    owner: Owner,
    userIds: readonly string[],
  ): Promise<readonly Ineligible[]> {
    const found: Ineligible[] = [];
    // People are asked for one at a time: Slack allows about 100 such calls a minute.
    for (const userId of userIds) {
      const { role } = await personOf(client, { owner, userId }).catch((error: unknown) => {
        if (!hiddenCodes.has(slackErrorCode(error) ?? '')) throw error;
        return { role: 'external' as const };
      });
      if (role !== 'admin' && role !== 'member') found.push({ id: userId, role });
    }
    return found;
  }

  const can = (client: WebClient, actor: Actor, required: RequiredRole): Promise<boolean> =>
    require(client, actor, required).then(
      () => true,
      () => false,
    );

  return {
    /** Resolves to the person if they have the role. @throws SlackError `slack.not_allowed`, with the rule */
    require,
    /** The people who are not full members, and so cannot be given rights. Rejects where Slack does not answer. */
    ineligible,
    /** Whether the person has the role, to decide what to show. Never throws. */
    can,
    /** The highest role that a full member has. @throws as `require` */
    async highestRole(client: WebClient, actor: Actor): Promise<RequiredRole> {
      const { role } = await require(client, actor, 'everyone');
      if (role === 'admin') {
        return 'admin';
      }
      return (await can(client, actor, 'manager')) ? 'manager' : 'everyone';
    },
  };
}

export type Permissions = ReturnType<typeof createPermissions>;

/** Slackbot's user id: users.info describes Slackbot as a person. */
const slackbot = 'USLACKBOT';

function roleOf(user: SlackUser, actor: Actor): Person['role'] {
  const { owner } = actor;
  const teams = user.enterprise_user?.teams ?? [];
  const inOrganization =
    owner.installation !== owner.team && user.enterprise_user?.enterprise_id === owner.installation;
  const isMember =
    user.team_id === undefined || user.team_id === owner.team || teams.includes(owner.team) || inOrganization;
  if (user.is_stranger || !isMember) {
    return 'external';
  }
  if (user.is_bot || user.id === slackbot) {
    return 'bot';
  }
  if (user.deleted) {
    return 'deactivated';
  }
  if (user.is_restricted || user.is_ultra_restricted) {
    return 'guest';
  }
  return isAdminOf(owner, user) ? 'admin' : 'member';
}

interface AuthorizedRequest {
  readonly deps: { readonly clock: Clock; readonly permissions: Permissions };
  readonly client: WebClient;
  readonly actor: Actor;
  readonly modal: { show(view: ModalView): Promise<boolean> };
}

/** Longer than Slack usually takes to say who somebody is; short enough for the trigger to live. */
const permissionTimeoutMs = 900;

/**
 * Resolves to the person once they are allowed. If the check is slow and the request opens a modal (`modalTitle`), the
 * modal opens as loading first: the trigger would expire otherwise.
 * @throws SlackError `slack.not_allowed`
 */
export async function authorize(
  { deps, client, actor, modal }: AuthorizedRequest,
  { role, modalTitle }: { readonly role: RequiredRole; readonly modalTitle?: string | undefined },
): Promise<Person> {
  const checking = deps.permissions.require(client, actor, role);
  if (modalTitle) {
    const isLate = await withTimeout(deps.clock, permissionTimeoutMs, () => checking.then(() => false), true);
    if (isLate) {
      await modal.show(loadingView(modalTitle));
    }
  }
  return await checking;
}
