/**
 * The clients of Slack's Web API, and the token for each request. The clients never retry: a post that may have arrived
 * must not be sent twice, and a person should not wait for minutes.
 */
import type { Authorize, AuthorizeResult } from '@slack/bolt';
import { WebClient, type WebClientOptions } from '@slack/web-api';
import { z } from 'zod';
import type { Clock } from '../../clock.js';
import type { Config } from '../../config.js';
import type { Log } from '../../log.js';
import type { Owner } from '../../ownership.js';
import { SlackError } from './errors.js';
import { createSlackLogger } from './logger.js';
import { createSlackClock } from './slack-clock.js';

/** Finds an installation's tokens; undefined when not installed. */
export type FindTokens = (source: {
  readonly isEnterpriseInstall: boolean;
  readonly enterpriseId?: string | undefined;
  readonly teamId?: string | undefined;
}) => Promise<AuthorizeResult | undefined>;

/** An event whose token may be gone. Bolt itself skips the authorization of `app_uninstalled` and `tokens_revoked`. */
const tokenlessEvent = z.object({ event: z.object({ type: z.literal('team_access_revoked') }) });

export const slackTimeoutMs = 10_000;

/** Every fetch has a timeout: Bolt's `respond` has none of its own. */
export function webClientOptions(config: Config, log: Log): WebClientOptions {
  return {
    slackApiUrl: config.SLACK_API_URL.endsWith('/') ? config.SLACK_API_URL : `${config.SLACK_API_URL}/`,
    allowAbsoluteUrls: false,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: slackTimeoutMs,
    logger: createSlackLogger(log),
    fetch: (url, init) =>
      fetch(url, { ...init, signal: init?.signal ?? AbortSignal.timeout(slackTimeoutMs) } as RequestInit),
  };
}

export function createSlackClients(deps: {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly findTokens: FindTokens;
}) {
  const slackClock = createSlackClock(deps.clock);
  const { fetch: send = fetch, ...clientOptions } = webClientOptions(deps.config, deps.log);
  const options: WebClientOptions = {
    ...clientOptions,
    fetch: async (url, init) => {
      const answer = await send(url, init);
      slackClock.setFrom(answer.headers.get('date'));
      return answer;
    },
  };
  // Clients are not cached: one takes 0.1 ms to make and 40 KB of memory, and holds a token.
  const clientWith = (token: string | undefined, teamId: string | undefined): WebClient =>
    new WebClient(token, { ...options, ...(teamId ? { teamId } : {}) });

  const authorize: Authorize<boolean> = async (source, body) => {
    if (tokenlessEvent.safeParse(body).success) {
      const { teamId, enterpriseId } = source;
      return { ...(teamId ? { teamId } : {}), ...(enterpriseId ? { enterpriseId } : {}) };
    }
    const foundTokens = await deps.findTokens(source);
    if (!foundTokens) {
      throw new SlackError('slack.not_installed', `no installation for ${source.teamId ?? source.enterpriseId}`);
    }
    // Bolt caches a client per bot token for ever: without the token it caches none, and listeners get one of ours.
    const { botToken: workspaceToken, userToken: _, ...otherTokens } = foundTokens;
    return { ...otherTokens, workspaceToken };
  };

  return {
    options,
    /** The clock of Slack's time, set by the answers that these clients receive. */
    slackClock,
    /** The authorization that Bolt calls for a request. It rejects without a token, except for `tokenlessEvent`. */
    authorize,
    /** A client for a workspace, with the workspace's token. */
    clientWith,
    /** A client for the owner's workspace. @throws SlackError `slack.not_installed` */
    async clientFor(owner: Owner): Promise<WebClient> {
      const foundTokens = await deps.findTokens({
        isEnterpriseInstall: owner.installation.startsWith('E'),
        enterpriseId: owner.installation.startsWith('E') ? owner.installation : undefined,
        teamId: owner.team,
      });
      if (!foundTokens?.botToken) {
        throw new SlackError('slack.not_installed', `no bot token for ${owner.team}`);
      }
      return clientWith(foundTokens.botToken, owner.team);
    },
  };
}

export type SlackClients = ReturnType<typeof createSlackClients>;
