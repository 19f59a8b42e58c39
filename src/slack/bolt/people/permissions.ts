/**
 * Roles and permissions. Full members read; admins, owners and those an admin named also change things.
 * Guests and people of other organizations do neither. If Slack cannot say who somebody is, the answer is no.
 */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Clock } from '../../../clock.js';
import type { Log } from '../../../log.js';
import { type Owner, ownerKey } from '../../../ownership.js';
import type { Store } from '../../../workspaces/types.js';
import { SlackError, slackWord } from '../errors.js';
import type { Asker } from '../routing/deps.js';

export type Who = 'everyone' | 'manager' | 'admin';

export interface Person {
  readonly id: string;
  readonly standing: 'admin' | 'member' | 'guest' | 'stranger' | 'bot' | 'deactivated';
  /** IANA zone of the person's Slack profile. */
  readonly zone?: string;
}

export interface Permissions {
  /** @throws SlackError `slack.not_allowed`, with the rule */
  demand(client: WebClient, asker: Asker, who: Who): Promise<Person>;
  /** The same as a boolean, to decide what to show. Never throws. */
  may(client: WebClient, asker: Asker, who: Who): Promise<boolean>;
  /** Those who cannot be given rights, as they are no full members. Rejects where Slack cannot say who somebody is. */
  unfit(client: WebClient, owner: Owner, userIds: readonly string[]): Promise<readonly Unfit[]>;
}

export interface Unfit {
  readonly id: string;
  readonly standing: Exclude<Person['standing'], 'admin' | 'member'>;
}

const rememberMs = 60_000;
const rememberAtMost = 10_000;

const hidden: ReadonlySet<string> = new Set(['user_not_found', 'user_not_visible']);

const userAnswer = z.object({
  user: z.object({
    id: z.string(),
    team_id: z.string().optional(),
    deleted: z.boolean().optional(),
    is_bot: z.boolean().optional(),
    is_admin: z.boolean().optional(),
    is_owner: z.boolean().optional(),
    is_primary_owner: z.boolean().optional(),
    is_restricted: z.boolean().optional(),
    is_ultra_restricted: z.boolean().optional(),
    is_stranger: z.boolean().optional(),
    tz: z.string().optional(),
    enterprise_user: z
      .object({ enterprise_id: z.string().optional(), teams: z.array(z.string()).optional() })
      .optional(),
  }),
});

export function createPermissions(deps: {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Pick<Store, 'workspaces'>;
}): Permissions {
  const people = createMemory<Person>(deps.clock);
  const groups = createMemory<ReadonlySet<string>>(deps.clock);

  function personOf(client: WebClient, asker: Asker): Promise<Person> {
    return people(`${ownerKey(asker.owner)}:${asker.userId}`, async () => {
      const { user } = userAnswer.parse(await client.users.info({ user: asker.userId }));
      const zone = user.tz ? { zone: user.tz } : {};
      return { id: user.id, standing: standingOf(user, asker), ...zone };
    });
  }

  async function isNamed(client: WebClient, asker: Asker): Promise<boolean> {
    const { managers } = await deps.store.workspaces.settings(asker.owner);
    if (!managers) return false;
    if (managers.users.includes(asker.userId)) return true;
    const memberships = await Promise.all(
      managers.groups.map((group) =>
        groups(`${ownerKey(asker.owner)}:${group}`, async () => {
          const { users } = await client.usergroups.users.list({ usergroup: group });
          return new Set(users ?? []);
        }).catch((error: unknown) => {
          // A deleted group must not lock out the members of the others.
          deps.log.warn({ err: error, group }, 'the members of a user group could not be read');
          return new Set<string>();
        }),
      ),
    );
    return memberships.some((members) => members.has(asker.userId));
  }

  async function demand(client: WebClient, asker: Asker, who: Who): Promise<Person> {
    let person: Person;
    try {
      person = await personOf(client, asker);
    } catch (error) {
      // In a shared channel, Slack hides some people from an app of another workspace.
      const why = hidden.has(slackWord(error) ?? '') ? 'stranger' : 'unknown';
      throw new SlackError('slack.not_allowed', 'Slack did not say who this is', { cause: error, why });
    }
    if (person.standing !== 'admin' && person.standing !== 'member') {
      const why = person.standing === 'stranger' ? 'stranger' : 'guest';
      throw new SlackError('slack.not_allowed', `a ${person.standing} asked`, { why });
    }
    if (who === 'admin' && person.standing !== 'admin') {
      throw new SlackError('slack.not_allowed', 'not an admin', { why: 'not_admin' });
    }
    if (who === 'manager' && person.standing !== 'admin' && !(await isNamed(client, asker))) {
      throw new SlackError('slack.not_allowed', 'neither an admin nor named by one', { why: 'not_manager' });
    }
    return person;
  }

  async function unfit(client: WebClient, owner: Owner, userIds: readonly string[]): Promise<readonly Unfit[]> {
    const found: Unfit[] = [];
    // One at a time: Slack allows about 100 calls a minute.
    for (const userId of userIds) {
      const { standing } = await personOf(client, { owner, userId }).catch((error: unknown) => {
        if (!hidden.has(slackWord(error) ?? '')) throw error;
        return { standing: 'stranger' as const };
      });
      if (standing !== 'admin' && standing !== 'member') found.push({ id: userId, standing });
    }
    return found;
  }

  return {
    demand,
    unfit,
    may: (client, asker, who) =>
      demand(client, asker, who).then(
        () => true,
        () => false,
      ),
  };
}

/** Slackbot: users.info describes it as a person. */
const slackbot = 'USLACKBOT';

function standingOf(user: z.output<typeof userAnswer>['user'], asker: Asker): Person['standing'] {
  const { owner } = asker;
  const teams = user.enterprise_user?.teams ?? [];
  const ofTheOrganisation =
    owner.installation !== owner.team && user.enterprise_user?.enterprise_id === owner.installation;
  const athome =
    user.team_id === undefined || user.team_id === owner.team || teams.includes(owner.team) || ofTheOrganisation;
  if (user.is_stranger || !athome) {
    return 'stranger';
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
  return user.is_admin || user.is_owner || user.is_primary_owner ? 'admin' : 'member';
}

/** Caches an answer for a minute and shares a fetch in flight; failures are not cached. */
function createMemory<T>(clock: Clock): (key: string, fetch: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, { readonly until: number; readonly answer: Promise<T> }>();
  return (key, fetch) => {
    const now = clock.now();
    const known = kept.get(key);
    if (known && known.until > now) {
      return known.answer;
    }
    if (kept.size >= rememberAtMost) {
      kept.clear();
    }
    const answer = fetch();
    kept.set(key, { until: now + rememberMs, answer });
    answer.catch(() => kept.delete(key));
    return answer;
  };
}
