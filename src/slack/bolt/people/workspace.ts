/**
 * The workspace and the owner of a request. In an org-wide install Bolt first reads `view.app_installed_team_id`,
 * which holds the organization's id there.
 */
import type { Context } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Owner } from '../../../ownership.js';
import type { SlackClients } from '../clients.js';
import { SlackError } from '../errors.js';

export function isWorkspaceId(id: string | undefined): id is string {
  return id?.startsWith('T') === true;
}

const team = z.string().nullish().catch(undefined);

/** Where Slack names a workspace. In interactions `team` may be null, in events `team_id` may be the organization's. */
const workspaceIds = z.object({
  team: z.object({ id: team }).nullish().catch(undefined),
  team_id: team,
  context_team_id: team,
  message: z.object({ team }).nullish().catch(undefined),
  user: z.object({ team_id: team }).nullish().catch(undefined),
  view: z.object({ team_id: team }).nullish().catch(undefined),
  event: z
    .object({ view: z.object({ team_id: team }).nullish().catch(undefined) })
    .nullish()
    .catch(undefined),
});

/** The request with its workspace, where Slack names one, and a client for it. */
export function inWorkspace<
  Args extends { readonly context: Context; readonly client: WebClient; readonly body: unknown },
>(args: Args, { clientWith }: Pick<SlackClients, 'clientWith'>): Args {
  const { context: boltContext } = args;
  // For a click on a message in an org-wide install, Bolt takes the clicker's workspace, which may be another one.
  const posted = boltContext.isEnterpriseInstall ? messageTeam(args.body) : undefined;
  const found = posted ?? (isWorkspaceId(boltContext.teamId) ? undefined : workspaceIn(args.body));
  const context = found === undefined ? boltContext : { ...boltContext, teamId: found };
  return { ...args, context, client: clientWith(context.workspaceToken, context.teamId) };
}

/** The workspace of the clicked message; undefined for any other request. */
function messageTeam(body: unknown): string | undefined {
  const team = workspaceIds.safeParse(body).data?.message?.team ?? undefined;
  return isWorkspaceId(team) ? team : undefined;
}

function workspaceIn(body: unknown): string | undefined {
  const ids = workspaceIds.safeParse(body).data;
  return [
    ids?.team?.id,
    ids?.team_id,
    ids?.context_team_id,
    ids?.user?.team_id,
    ids?.view?.team_id,
    ids?.event?.view?.team_id,
  ].find((id): id is string => isWorkspaceId(id ?? undefined));
}

/** @throws SlackError `slack.not_installed` when Slack names no workspace */
export function ownerOf(context: Pick<Context, 'isEnterpriseInstall' | 'enterpriseId' | 'teamId'>): Owner {
  const team = context.teamId;
  const installation = context.isEnterpriseInstall ? context.enterpriseId : team;
  if (!isWorkspaceId(team) || !installation) {
    throw new SlackError('slack.not_installed', 'Slack named no workspace');
  }
  return { installation, team };
}

/** The key that an installation is stored under. */
export function installationIdOf(source: {
  readonly isEnterpriseInstall: boolean;
  readonly enterpriseId?: string | undefined;
  readonly teamId?: string | undefined;
}): string | undefined {
  return source.isEnterpriseInstall ? source.enterpriseId : source.teamId;
}
