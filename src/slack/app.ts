/**
 * The Bolt app: requests by HTTP, or by Socket Mode with an app token; the token for each workspace; start and stop. It
 * starts even while Slack is down.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { App } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { createCountScans } from '../lookup/index.js';
import type { Owner } from '../ownership.js';
import { createScanSearch } from '../search/index.js';
import { withTimeout } from '../timeout.js';
import { createChangesMade } from './audit-log/changes-made.js';
import { button } from './block-kit/elements.js';
import { createSlackClients, type SlackClients } from './bolt/clients.js';
import { createHttpReceiver, type HttpReceiver } from './bolt/http-receiver.js';
import { createSlackLogger } from './bolt/logger.js';
import { createPermissions } from './bolt/people/permissions.js';
import type { SlackDeps } from './bolt/routing/deps.js';
import { createRouter } from './bolt/routing/router.js';
import { createSocket } from './bolt/socket.js';
import { listeners, tables } from './features.js';
import { refreshHome } from './home/home.js';
import { createInstall, type Install } from './install/install.js';
import type { SlackState } from './install/slack-check.js';
import { createResponseUrls } from './lookup/response-urls.js';
import { createWhileIdle } from './lookup/while-idle.js';
import { createWorkspaceLookups } from './lookup/workspace-lookups.js';
import { createRelayServices } from './relays/index.js';

export const eventsPath = '/slack/events';

/** Access to Slack without the listeners: the publisher needs it before the app exists. */
export interface SlackAccess {
  readonly clients: SlackClients;
  readonly install: Install;
}

export function createSlackAccess(
  deps: Omit<
    SlackDeps,
    | 'accounts'
    | 'relays'
    | 'scans'
    | 'places'
    | 'erasures'
    | 'exports'
    | 'reports'
    | 'workflows'
    | 'receipts'
    | 'onReceipt'
  >,
): SlackAccess {
  const install = createInstall(deps);
  const { config, clock, log } = deps;
  const clients = createSlackClients({ config, clock, log, findTokens: install.findTokens });
  return { install, clients };
}

export function createSlack(deps: SlackDeps, access: SlackAccess = createSlackAccess(deps)) {
  const { config, log, clock } = deps;
  const { clients, install } = access;
  const logger = createSlackLogger(log);
  const socket = config.SLACK_APP_TOKEN
    ? createSocket({ appToken: config.SLACK_APP_TOKEN, options: clients.options, clock, log })
    : undefined;
  const http = socket
    ? undefined
    : createHttpReceiver({
        signingSecret: config.SLACK_SIGNING_SECRET,
        logger,
        onRefused: (request, code) =>
          deps.refusals.add(request, { level: 'warn', message: 'a request to /slack/events was refused', code }),
      });
  const app = new App({
    ...(socket ? { receiver: socket.receiver, socketMode: true } : { receiver: http! }),
    authorize: clients.authorize,
    clientOptions: { ...clients.options },
    // Bolt's default keeps conversations in memory, and loses them at a restart.
    convoStore: false,
    processBeforeResponse: false,
    tokenVerificationEnabled: false,
    extendedErrorHandler: true,
    logger,
  });
  const relayServices = createRelayServices(deps);
  const listenerDeps = {
    ...deps,
    clients,
    permissions: createPermissions(deps),
    lookups: createWorkspaceLookups(deps),
    searchScans: createScanSearch(deps),
    whileIdle: createWhileIdle(),
    countScans: createCountScans(deps),
    ...relayServices,
    nextSteps: { 'slack.not_connected': button('Connect', 'connect.open') },
    describeChanges: createChangesMade(relayServices.relayStatus),
    responseUrls: createResponseUrls(deps),
    commands: tables,
    async connectionChanged(context: Parameters<typeof refreshHome>[0]) {
      await refreshHome(context);
      await context.deps.places.redrawBoards(context.actor.owner).catch((error: unknown) => {
        context.deps.log.info({ err: error, reference: context.reference }, 'boards could not be redrawn');
      });
    },
    homeClicked: refreshHome,
  };
  const router = createRouter(app, listenerDeps, listeners);

  return {
    /** The tools that Slackbot calls answer from the listeners' dependencies. */
    listenerDeps,
    /** A client for the owner's workspace. @throws SlackError `slack.not_installed` */
    clientFor: (owner: Owner): Promise<WebClient> => clients.clientFor(owner),
    /** Answers every path below /slack/, unknown ones with 404. Never throws. */
    requestListener(request: IncomingMessage, response: ServerResponse): void {
      try {
        if (!install.handle(request, response)) {
          handOver(http, request, response);
        }
      } catch (error) {
        log.error({ err: error }, 'a request from Slack failed');
        if (!response.headersSent) {
          response.writeHead(500).end();
        }
      }
    },
    /** Starts Socket Mode, if there is any. Resolves with what Slack says first, or that it does not answer. */
    start(): Promise<SlackState> {
      socket?.start();
      return install.slack.ask();
    },
    /** Closes the socket of Socket Mode, if there is one; then waits up to `withinMs` for work in progress. */
    async stop(withinMs = 10_000): Promise<void> {
      await socket?.stop();
      await withTimeout(clock, withinMs, () => router.settled(), undefined);
    },
  };
}

function handOver(receiver: HttpReceiver | undefined, request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  if (!receiver || pathname !== eventsPath) {
    response.writeHead(404).end();
  } else if (request.method !== 'POST') {
    response.writeHead(405, { Allow: 'POST' }).end();
  } else {
    receiver.handle(request, response);
  }
}
