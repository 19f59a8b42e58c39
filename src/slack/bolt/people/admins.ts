/** Workspace admins and owners, for messages that somebody has to act on, without bots and deactivated people. */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';

const flag = z.boolean().optional();
const page = z.object({
  members: z.array(
    z.object({ id: z.string(), deleted: flag, is_bot: flag, is_admin: flag, is_owner: flag, is_primary_owner: flag }),
  ),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

const onPage = 1_000;
/** The most pages of people read: a larger workspace's admins are those among its first 20,000 people. */
const mostPages = 20;
const mostAdmins = 20;

/** The ids of admins and owners, at most twenty. Rejects as the client does. */
export async function adminsOf(client: WebClient): Promise<readonly string[]> {
  const admins: string[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < mostPages && admins.length < mostAdmins; pages++) {
    const answer = page.parse(await client.users.list({ limit: onPage, ...(cursor ? { cursor } : {}) }));
    const found = answer.members.filter((one) => !one.deleted && !one.is_bot);
    admins.push(...found.filter((one) => one.is_admin || one.is_owner || one.is_primary_owner).map(({ id }) => id));
    cursor = answer.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) {
      break;
    }
  }
  return admins.slice(0, mostAdmins);
}
