/** Workspace admins and owners: who is one, and the list of them for messages that somebody has to act on. */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Owner } from '../../../ownership.js';

const flag = z.boolean().optional();

/** What Slack says of a person's rights in the workspace that `team_id` names. */
export const rights = { team_id: z.string().optional(), is_admin: flag, is_owner: flag, is_primary_owner: flag };

/**
 * Whether the person is an admin or owner of the workspace. In an organization Slack describes people as their own
 * workspace knows them: an admin of another one is none here.
 */
export function isAdminOf(
  { installation, team }: Owner,
  { team_id: describedIn = installation, ...person }: z.output<z.ZodObject<typeof rights>>,
): boolean {
  const isHere = describedIn === team;
  return isHere && (person.is_admin || person.is_owner || person.is_primary_owner) === true;
}

const page = z.object({
  members: z.array(z.object({ id: z.string(), deleted: flag, is_bot: flag, ...rights })),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

const onPage = 1_000;
/** The most pages of people read: a larger workspace's admins are those among its first 20,000 people. */
const mostPages = 20;
const mostAdmins = 20;

/** The ids of admins and owners, at most twenty. Rejects as the client does. */
export async function adminsOf(client: WebClient, owner: Owner): Promise<readonly string[]> {
  const admins: string[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < mostPages && admins.length < mostAdmins; pages++) {
    const answer = page.parse(await client.users.list({ limit: onPage, ...(cursor ? { cursor } : {}) }));
    const found = answer.members.filter((one) => !one.deleted && !one.is_bot && isAdminOf(owner, one));
    admins.push(...found.map(({ id }) => id));
    cursor = answer.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) {
      break;
    }
  }
  return admins.slice(0, mostAdmins);
}
