/**
 * Installation into one workspace by a bot token, or into any number through Slack's OAuth pages.
 * OAuth's tokens are stored sealed, under the enterprise for an org-wide install, else under the team.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AuthorizationError, type InstallationQuery, InstallProvider, type InstallURLOptions } from '@slack/oauth';
import { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Config } from '../../config.js';
import type { Metrics } from '../../metrics.js';
import type { ProcessDeps } from '../../process.js';
import type { Store } from '../../workspaces/types.js';
import { type FindTokens, webClientOptions } from '../bolt/clients.js';
import { isSlackOutage, SlackError, slackErrorCode } from '../bolt/errors.js';
import { createSlackLogger } from '../bolt/logger.js';
import { botScopes, mcpScope } from '../bolt/scopes.js';
import { failurePage, installPage, successPage } from './pages.js';
import { createSlackCheck, type SlackCheck } from './slack-check.js';
import { createOAuthStores } from './stores.js';

export interface Install {
  readonly findTokens: FindTokens;
  /** Serves the install page and the OAuth redirect. Returns false for any other path. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /**
   * Whether the configured bot token belongs to this installation; false where Slack refuses the token, or no token is
   * configured. Rejects when Slack does not say.
   */
  isInstalled(installation: string): Promise<boolean>;
  /** Whether Slack answers, and takes the bot token, if there is one. */
  readonly slack: SlackCheck;
}

interface InstallDeps extends Pick<ProcessDeps, 'clock' | 'random' | 'log'> {
  readonly config: Config;
  readonly store: Store;
  readonly metrics: Pick<Metrics, 'botTokenRefused'>;
}

export const installPath = '/slack/install';
export const redirectPath = '/slack/oauth_redirect';

export function createInstall(deps: InstallDeps): Install {
  return deps.config.SLACK_BOT_TOKEN ? oneWorkspace(deps) : manyWorkspaces(deps);
}

const identity = z.object({
  team_id: z.string().optional(),
  enterprise_id: z.string().optional(),
  is_enterprise_install: z.boolean().optional(),
  user_id: z.string().optional(),
  bot_id: z.string().optional(),
});

/** With a bot token there is nothing to install: the workspace is the token's. */
function oneWorkspace(deps: InstallDeps): Install {
  const botToken = deps.config.SLACK_BOT_TOKEN;
  const client = new WebClient(botToken, webClientOptions(deps.config, deps.log));
  let knownApp: z.output<typeof identity> | undefined;
  const slack = createSlackCheck(deps, async () => {
    knownApp = identity.parse(await client.auth.test());
  });

  return {
    slack,
    async isInstalled(installation) {
      try {
        const { team_id, enterprise_id } = identity.parse(await client.auth.test());
        return installation === team_id || installation === enterprise_id;
      } catch (error) {
        if (slackErrorCode(error) === undefined || isSlackOutage(error)) {
          throw error;
        }
        return false;
      }
    },
    async findTokens(source) {
      if (!knownApp) {
        // Slack may be down at the start: each request asks again until Slack has answered.
        void slack.ask();
      }
      const isOtherInstallation =
        knownApp?.team_id !== undefined &&
        !knownApp.is_enterprise_install &&
        ((source.isEnterpriseInstall && knownApp.is_enterprise_install === false) ||
          (source.teamId && source.teamId !== knownApp.team_id));
      if (isOtherInstallation) {
        return undefined;
      }
      return {
        botToken,
        ...(knownApp?.bot_id ? { botId: knownApp.bot_id } : {}),
        ...(knownApp?.user_id ? { botUserId: knownApp.user_id } : {}),
        ...(source.teamId ? { teamId: source.teamId } : {}),
        ...(source.enterpriseId ? { enterpriseId: source.enterpriseId } : {}),
      };
    },
    handle(request, response) {
      if (request.method !== 'GET' || pathOf(request) !== installPath) {
        return false;
      }
      send(response, 200, installPage({ kind: 'single' }));
      return true;
    },
  };
}

function manyWorkspaces(deps: InstallDeps): Install {
  const { config, log } = deps;
  const stores = createOAuthStores(deps);
  const options: InstallURLOptions = {
    scopes: [...botScopes, ...(config.MCP ? [mcpScope] : [])],
    redirectUri: `${config.PUBLIC_URL.replace(/\/$/, '')}${redirectPath}`,
  };
  const { logger: _, ...clientOptions } = webClientOptions(config, log);
  const provider = new InstallProvider({
    clientId: config.SLACK_CLIENT_ID,
    clientSecret: config.SLACK_CLIENT_SECRET,
    authorizationUrl: config.SLACK_AUTHORIZE_URL,
    installationStore: stores.installations,
    stateStore: stores.states,
    stateCookieName: 'scandesk-install',
    installUrlOptions: options,
    renderHtmlForInstallPath: (url) => installPage({ kind: 'many', url }),
    clientOptions,
    logger: createSlackLogger(log),
  });

  return {
    slack: createSlackCheck(deps, async () => {
      try {
        await new WebClient(undefined, { ...clientOptions, logger: createSlackLogger(log) }).api.test();
      } catch (error) {
        // Each workspace has a token of its own: what Slack says of a request without one is an answer.
        if (slackErrorCode(error) === undefined || isSlackOutage(error)) {
          throw error;
        }
      }
    }),
    isInstalled: () => Promise.resolve(false),
    async findTokens(source) {
      const query: InstallationQuery<boolean> = {
        teamId: source.teamId,
        enterpriseId: source.enterpriseId,
        isEnterpriseInstall: source.isEnterpriseInstall,
      };
      try {
        return await provider.authorize(query);
      } catch (error) {
        // The library wraps errors of Scandesk's own store.
        const cause = error instanceof AuthorizationError ? error.original : error;
        if (cause instanceof SlackError && cause.code === 'slack.not_installed') {
          return undefined;
        }
        throw cause;
      }
    },
    handle(request, response) {
      const path = pathOf(request);
      if (request.method !== 'GET' || (path !== installPath && path !== redirectPath)) {
        return false;
      }
      for (const [name, value] of Object.entries(pageHeaders)) {
        response.setHeader(name, value);
      }
      const installing =
        path === installPath
          ? provider.handleInstallPath(request, response, undefined, options)
          : provider.handleCallback(request, response, {
              success: (installation) =>
                send(response, 200, successPage(installation.team?.name ?? installation.enterprise?.name)),
              failure: (error) => {
                log.warn({ code: error.code }, 'an installation did not succeed');
                send(response, 400, failurePage(error.code));
              },
            });
      installing.catch((error: unknown) => {
        log.error({ err: error }, 'the install pages failed');
        if (!response.headersSent) send(response, 500, failurePage('unknown'));
      });
      return true;
    },
  };
}

const pageHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

function pathOf(request: IncomingMessage): string {
  return new URL(request.url ?? '/', 'http://localhost').pathname;
}

function send(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', ...pageHeaders });
  response.end(html);
}
