/**
 * Owns which workspace a request was made in, where Bolt takes the organisation for it: an org-wide install's forms say the
 * organisation's id where they say a team's (`view.app_installed_team_id`), and Bolt goes by that first.
 */
import type { Context } from '@slack/bolt';
import { WebClient, type WebClientOptions } from '@slack/web-api';
import { z } from 'zod';

export function isWorkspaceId(id: string | undefined): id is string {
  return id?.startsWith('T') === true;
}

const team = z.string().nullish().catch(undefined);

/** Wherever Slack says a workspace: in interactions `team` may be null and in events `team_id` the organisation's. */
const places = z.object({
  team: z.object({ id: team }).nullish().catch(undefined),
  team_id: team,
  context_team_id: team,
  user: z.object({ team_id: team }).nullish().catch(undefined),
  view: z.object({ team_id: team }).nullish().catch(undefined),
  event: z
    .object({ view: z.object({ team_id: team }).nullish().catch(undefined) })
    .nullish()
    .catch(undefined),
});

/** The request with its workspace, and a client that acts in that one. As it came where the workspace is known, or told nowhere. */
export function inWorkspace<
  Args extends { readonly context: Context; readonly client: WebClient; readonly body: unknown },
>(args: Args, options: WebClientOptions): Args {
  const { context } = args;
  if (isWorkspaceId(context.teamId)) {
    return args;
  }
  const teamId = workspaceIn(args.body);
  if (teamId === undefined) {
    return args;
  }
  // Bolt's client sends the organisation's id along with every call.
  const client = new WebClient(context.botToken, { ...options, teamId });
  return { ...args, context: { ...context, teamId }, client };
}

function workspaceIn(body: unknown): string | undefined {
  const told = places.safeParse(body).data;
  return [
    told?.team?.id,
    told?.team_id,
    told?.context_team_id,
    told?.user?.team_id,
    told?.view?.team_id,
    told?.event?.view?.team_id,
  ].find((id): id is string => isWorkspaceId(id ?? undefined));
}
