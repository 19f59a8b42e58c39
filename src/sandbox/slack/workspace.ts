/**
 * A simulated Slack workspace: it creates its parts, routes each request, starts and stops. It is as strict as Slack,
 * and reaches the app by HTTP only.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock, Random } from '../../clock.js';
import type { Log } from '../../log.js';
import type { Rules } from './api.js';
import { createOutbound } from './app/outbound.js';
import { createResponseUrls, responsePath } from './app/response-urls.js';
import { createSender } from './app/sender.js';
import { createTriggers } from './app/triggers.js';
import type { Core } from './core.js';
import { filesPath } from './files.js';
import { BodyBroken, BodyTooLarge, originOf, send } from './http.js';
import { createInstalling } from './installing.js';
import { manifestSchema } from './manifest.js';
import { createOAuth } from './oauth.js';
import { createPersonApi } from './person/api.js';
import { createSlackbot } from './slackbot.js';
import { builtPage, sendPageFile } from './static.js';
import { createStreams } from './stream.js';
import { createTransfers } from './transfers.js';
import { createViews } from './views.js';
import { createCalls } from './web/calls.js';
import { chatMethods } from './web/chat.js';
import { conversationMethods } from './web/conversations.js';
import { createWebApi } from './web/dispatch.js';
import { createUploadAddresses, fileMethods, uploadPath } from './web/files.js';
import { historyMethods } from './web/history.js';
import { createLimits } from './web/limits.js';
import { markMethods } from './web/marks.js';
import { peopleMethods } from './web/people.js';
import { handleResponse } from './web/response.js';
import { viewMethods } from './web/views.js';
import { createTriggerHandler, triggersPath } from './web/workflows.js';
import { openDatabase } from './world/database.js';
import type { Organisation } from './world/records.js';
import { harbourHall, type TeamSeed } from './world/seed.js';
import { createWorld } from './world/world.js';

export interface WorkspaceOptions {
  /** The SQLite file; `:memory:` stores nothing. */
  readonly file: string;
  /** The content of manifest.yml, parsed. */
  readonly manifest: unknown;
  readonly signingSecret: string;
  /** Installs the app in the first team with this token. Without it, the app is installed by OAuth only. */
  readonly botToken?: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The app's address, if it is known at the start. */
  readonly appUrl?: string;
  /** The workspace's public address; by default the one that its first caller uses. */
  readonly url?: string;
  /** The teams, which are added to a file that lacks them; one by default. */
  readonly teams?: readonly TeamSeed[];
  /** The organization to which all teams belong, and which has installed the app: Slack's org-wide install. */
  readonly organisation?: Organisation;
  /** Overrides of the initial rules. */
  readonly rules?: Partial<Rules>;
  /** The folder of the built page. */
  readonly pageFolder?: string;
}

export interface Workspace {
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** Sets the app's address, without a path. */
  setAppUrl(url: string): void;
  /** Starts an HTTP server, for tests and tools. */
  listen(port?: number, host?: string): Promise<{ readonly url: string }>;
  close(): Promise<void>;
}

const usualRules: Rules = {
  historyPerMinute: 0,
  historyFromOldest: false,
  historyLagMs: 0,
  clientMsgIds: 'known',
  postsPerSecond: 1,
  acknowledgeMs: 3000,
  triggerMs: 3000,
  methodTiers: true,
  fileProcessingMs: 600,
  eventRetryMs: [0, 60_000, 300_000],
  faults: [],
};

/** Creates the workspace. @throws ZodError if Slack could not read the manifest */
export async function createWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { clock, random, log } = options;
  const manifest = manifestSchema.parse(options.manifest);
  const scopes = manifest.oauth_config.scopes.bot;
  const rules: Rules = { ...usualRules, ...options.rules };
  const stopping = new AbortController();
  let appUrl = options.appUrl;
  let origin = options.url?.replace(/\/$/, '');

  const world = createWorld({
    database: await openDatabase(options.file),
    clock,
    random,
    seeds: options.teams ?? [harbourHall],
    botName: manifest.features.bot_user.display_name,
    organisation: options.organisation,
  });
  const streams = createStreams();
  const sender = createSender({ signingSecret: options.signingSecret, clock });
  const appId = 'A0SCANDESK';
  const calls = createCalls(clock);
  const core: Core = {
    clock,
    random,
    log,
    world,
    manifest,
    appId,
    ...(options.organisation ? { organisation: options.organisation } : {}),
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    rules,
    streams,
    views: createViews({ world, clock, random }),
    triggers: createTriggers({ clock, random, lifeMs: () => rules.triggerMs }),
    responseUrls: createResponseUrls({ clock, random }),
    outbound: createOutbound({
      sender,
      manifest,
      appId,
      organisation: options.organisation,
      rules,
      clock,
      random,
      log,
      appUrl: () => appUrl,
      stopped: stopping.signal,
    }),
    origin: () => origin ?? 'http://localhost',
    appUrl: () => appUrl,
  };
  const installer = createInstalling(core);
  const limits = createLimits(clock);
  const uploads = createUploadAddresses(core);
  const oauth = createOAuth(core, installer);
  const reinstall = (granted = scopes): boolean => {
    if (options.botToken === undefined || options.botToken === '') {
      return false;
    }
    world.install(options.botToken, world.teams()[0]!.id, granted);
    return true;
  };
  const knownInstall = options.botToken ? world.installByToken(options.botToken) : undefined;
  if (!knownInstall) {
    reinstall();
  } else if (options.botToken && knownInstall.state === 'live') {
    world.setScopes(options.botToken, scopes);
  }

  const revoked = (team: string): void => {
    installer
      .revoke(world.team(team)!, 'bot', '')
      .catch((error: unknown) => log.error({ err: error }, 'could not send the app a tokens_revoked event'));
  };
  const web = createWebApi({
    core,
    limits,
    calls,
    methods: [
      ...chatMethods(limits),
      ...conversationMethods,
      ...historyMethods(limits),
      ...markMethods,
      ...peopleMethods({ revoked }),
      ...viewMethods,
      ...fileMethods(uploads),
      ...oauth.methods,
    ],
  });
  const people = createPersonApi(core, installer, calls, reinstall, createSlackbot(core, sender));
  const pageFolder = options.pageFolder ?? builtPage;

  const transfers = createTransfers(core, uploads);
  const handleTrigger = createTriggerHandler(core, limits, calls);

  const route = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (!URL.canParse(req.url ?? '/', 'http://slack')) {
      send(res, 400, 'text/plain; charset=utf-8', 'This is not a valid URL.');
      return;
    }
    const path = new URL(req.url ?? '/', 'http://slack').pathname;
    if (path.startsWith('/api/')) {
      await web.handle(req, res, path.slice('/api/'.length));
    } else if (path.startsWith('/sandbox/')) {
      await people.handle(req, res, path);
    } else if (path.startsWith(responsePath) && req.method === 'POST') {
      await handleResponse(core, calls, req, res, path);
    } else if (path.startsWith(triggersPath) && req.method === 'POST') {
      await handleTrigger(req, res, path);
    } else if (path.startsWith(uploadPath) && req.method === 'POST') {
      await transfers.receive(req, res, path);
    } else if (path.startsWith(filesPath) && req.method === 'GET') {
      await transfers.send(req, res, path);
    } else if (path === '/oauth/v2/authorize' && (req.method === 'GET' || req.method === 'POST')) {
      await oauth.authorize(req, res);
    } else if (path.startsWith('/archives/') && req.method === 'GET') {
      send(res, 302, 'text/plain; charset=utf-8', '', { location: '/' });
    } else if ((req.method === 'GET' || req.method === 'HEAD') && (path === '/' || path.startsWith('/page/'))) {
      await sendPageFile(res, pageFolder, path === '/' ? 'index.html' : path.slice('/page/'.length));
    } else {
      send(res, 404, 'text/plain; charset=utf-8', 'Not found.');
    }
  };

  let server: ReturnType<typeof createServer> | undefined;

  const workspace: Workspace = {
    async handle(req, res) {
      origin ??= originOf(req);
      try {
        await route(req, res);
      } catch (error) {
        if (error instanceof BodyTooLarge) {
          send(res, 413, 'text/plain; charset=utf-8', 'too large', { connection: 'close' });
          return;
        }
        if (error instanceof BodyBroken) {
          send(res, 400, 'text/plain; charset=utf-8', error.message);
          return;
        }
        log.error({ err: error }, 'a request to the workspace failed');
        send(res, 500, 'text/plain; charset=utf-8', 'Something went wrong. The workspace’s log has the error.');
      }
    },
    setAppUrl(url) {
      appUrl = url;
    },
    async listen(port = 0, host = '127.0.0.1') {
      // The server keeps idle connections longer than any client: else a request may meet a connection as it closes.
      const httpServer = createServer({ keepAliveTimeout: 65_000 }, (req, res) => {
        workspace.handle(req, res).catch((error: unknown) => {
          log.error({ err: error }, 'the workspace could not answer');
          res.destroy();
        });
      });
      server = httpServer;
      await new Promise<void>((done, fail) => {
        httpServer.once('error', fail);
        httpServer.listen(port, host, done);
      });
      const url = `http://${host}:${(httpServer.address() as AddressInfo).port}`;
      origin ??= url;
      return { url };
    },
    async close() {
      stopping.abort();
      streams.close();
      await sender.close();
      const running = server;
      if (running) {
        const closed = new Promise<void>((done) => running.close(() => done()));
        running.closeAllConnections();
        await closed;
      }
      world.close();
    },
  };
  return workspace;
}
