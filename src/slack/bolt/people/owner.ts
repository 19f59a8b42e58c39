/** The owner of a request: the installation Slack named, and the workspace. */
import type { Context } from '@slack/bolt';
import type { Owner } from '../../../ownership.js';
import { SlackError } from '../errors.js';
import { isWorkspaceId } from './workspace.js';

/** @throws SlackError `slack.not_installed` when Slack names no workspace */
export function ownerOf(context: Pick<Context, 'isEnterpriseInstall' | 'enterpriseId' | 'teamId'>): Owner {
  const team = context.teamId;
  const installation = context.isEnterpriseInstall ? context.enterpriseId : team;
  if (!isWorkspaceId(team) || !installation) {
    throw new SlackError('slack.not_installed', 'Slack named no workspace');
  }
  return { installation, team };
}

/** The key an installation is stored under. */
export function installationIdOf(source: {
  readonly isEnterpriseInstall: boolean;
  readonly enterpriseId?: string | undefined;
  readonly teamId?: string | undefined;
}): string | undefined {
  return source.isEnterpriseInstall ? source.enterpriseId : source.teamId;
}
