/**
 * The person for whom a tool is called: Slack names the person and the workspace in each call (docs/slackbot.md).
 * Without them, or for a workspace that has not installed Scandesk, there is nobody.
 */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Owner } from '../ownership.js';
import type { SlackClients } from '../slack/bolt/clients.js';
import { SlackError } from '../slack/bolt/errors.js';
import type { Actor } from '../slack/bolt/routing/deps.js';

export interface Caller {
  readonly actor: Actor;
  readonly client: WebClient;
}

const id = (first: string) => z.string().regex(new RegExp(`^[${first}][A-Z0-9]{1,30}$`));

const identified = z.object({
  params: z.object({
    _meta: z.object({
      slack: z.object({
        user_id: id('UW'),
        team_id: id('T'),
        enterprise_id: z.union([id('E'), z.literal('')]).nullish(),
      }),
    }),
  }),
});

/** The caller of a request. `message`: the JSON-RPC request. Undefined: nobody who may be answered. */
export async function callerOf(
  message: unknown,
  clients: Pick<SlackClients, 'clientFor'>,
): Promise<Caller | undefined> {
  const identity = identified.safeParse(message).data?.params._meta.slack;
  if (!identity) {
    return undefined;
  }
  const { user_id: userId, team_id: team, enterprise_id: enterprise } = identity;
  // Both owners are tried: Slack does not say whether the organization or the workspace has installed the app.
  const owners: readonly Owner[] = [
    ...(enterprise ? [{ installation: enterprise, team }] : []),
    { installation: team, team },
  ];
  for (const owner of owners) {
    const client = await clientFor(clients, owner);
    if (client) {
      return { actor: { owner, userId }, client };
    }
  }
  return undefined;
}

async function clientFor(clients: Pick<SlackClients, 'clientFor'>, owner: Owner): Promise<WebClient | undefined> {
  try {
    return await clients.clientFor(owner);
  } catch (error) {
    if (error instanceof SlackError && error.code === 'slack.not_installed') {
      return undefined;
    }
    throw error;
  }
}
