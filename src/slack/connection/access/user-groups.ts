/** The workspace's user groups, for pickers. */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { NamedGroup } from './access-view.js';

const answer = z.object({
  usergroups: z.array(z.object({ id: z.string(), name: z.string(), handle: z.string().optional() })).default([]),
});

export async function userGroups(client: WebClient): Promise<readonly NamedGroup[]> {
  const { usergroups } = answer.parse(await client.usergroups.list());
  return usergroups.map(({ id, name, handle }) => ({ id, name: handle ? `${name} (@${handle})` : name }));
}
