/** What Slack's `users.info` says of a person. */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { rights } from './admins.js';

const flag = z.boolean().default(false);
const text = z.string().default('');
const answer = z.object({
  user: z.object({
    id: z.string(),
    ...rights,
    name: text,
    profile: z.object({ display_name: text, real_name: text }).prefault({}),
    deleted: flag,
    is_bot: flag,
    is_restricted: flag,
    is_ultra_restricted: flag,
    is_stranger: flag,
    tz: z.string().optional(),
    enterprise_user: z
      .object({ enterprise_id: z.string().optional(), teams: z.array(z.string()).default([]) })
      .optional(),
  }),
});

export type SlackUser = z.output<typeof answer>['user'];

/** Rejects as the client does, and where Slack's answer is none. */
export async function readUser(client: WebClient, id: string): Promise<SlackUser> {
  return answer.parse(await client.users.info({ user: id })).user;
}
