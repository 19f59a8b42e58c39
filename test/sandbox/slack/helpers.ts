/**
 * Shared fixtures of the simulated workspace's tests: a workspace on a port, a small app with scripted responses, and a
 * clock that can be advanced.
 */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock, systemRandom } from '../../../src/clock.js';
import { silentLog } from '../../../src/log.js';
import { createWorkspace, type Workspace, type WorkspaceOptions } from '../../../src/sandbox/slack/index.js';

export type Json = Record<string, unknown>;

export const signingSecret = 'a-signing-secret';
export const botToken = 'xoxb-canary-0123456789abcdef';

export const allScopes = [
  'commands',
  'chat:write',
  'channels:read',
  'groups:read',
  'im:read',
  'channels:history',
  'groups:history',
  'im:history',
  'channels:join',
  'im:write',
  'users:read',
  'usergroups:read',
  'team:read',
  'files:read',
  'files:write',
  'reactions:write',
  'pins:write',
  'app_mentions:read',
];

export function manifest(change: { scopes?: readonly string[]; should_escape?: boolean } = {}): Json {
  const url = 'https://scandesk.example.com/slack/events';
  return {
    display_information: { name: 'Scandesk' },
    features: {
      bot_user: { display_name: 'Scandesk', always_online: true },
      app_home: { home_tab_enabled: true },
      slash_commands: [
        {
          command: '/barcode',
          description: 'Look a barcode up',
          usage_hint: 'VALUE',
          url,
          should_escape: change.should_escape ?? false,
        },
      ],
      shortcuts: [
        { name: 'Look up', type: 'global', callback_id: 'lookup', description: 'Look a barcode up' },
        { name: 'Look this up', type: 'message', callback_id: 'lookup_message', description: 'Look it up' },
      ],
    },
    oauth_config: {
      redirect_urls: ['https://scandesk.example.com/slack/oauth_redirect'],
      scopes: { bot: change.scopes ?? allScopes },
    },
    settings: {
      event_subscriptions: {
        request_url: url,
        bot_events: ['app_home_opened', 'app_mention', 'app_uninstalled', 'tokens_revoked'],
      },
      interactivity: { is_enabled: true, request_url: url, message_menu_options_url: url },
    },
  };
}

export interface Heard {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  /** The fields of a form body, such as a command's. */
  readonly form: Readonly<Record<string, string>>;
  /** The payload of an interaction or an event. */
  readonly payload: Json;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Json;
}

export interface FakeApp {
  readonly url: string;
  readonly heard: Heard[];
  /** Makes the response to each further request. */
  answer: (heard: Heard) => Reply | Promise<Reply>;
  close(): Promise<void>;
}

export async function startApp(): Promise<FakeApp> {
  const heard: Heard[] = [];
  const server = createServer({ keepAliveTimeout: 65_000 }, (req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', async () => {
      const raw = Buffer.concat(parts).toString('utf8');
      const isJson = req.headers['content-type'] === 'application/json';
      const form = isJson ? {} : Object.fromEntries(new URLSearchParams(raw));
      const one: Heard = {
        path: req.url ?? '',
        headers: req.headers,
        raw,
        form,
        payload: JSON.parse(isJson ? raw : (form.payload ?? '{}')) as Json,
      };
      heard.push(one);
      const { status = 200, headers = {}, body = '' } = await app.answer(one);
      const json = typeof body !== 'string';
      res.writeHead(status, { ...(json ? { 'content-type': 'application/json' } : {}), ...headers });
      res.end(json ? JSON.stringify(body) : body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const app: FakeApp = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    answer: () => ({}),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return app;
}

/** Real time, plus what a test adds. */
export interface TestClock extends Clock {
  forward(ms: number): void;
}

export function testClock(): TestClock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    sleep: systemClock.sleep,
    forward(ms) {
      ahead += ms;
    },
  };
}

export interface Stage {
  readonly url: string;
  readonly workspace: Workspace;
  readonly app: FakeApp;
  readonly clock: TestClock;
  /** Calls a Web API method with the bot's token and JSON arguments. */
  api(method: string, args?: Json, token?: string): Promise<Json>;
  /** A POST to the workspace's own API. */
  person(path: string, body?: Json): Promise<Json>;
  /** A GET from the workspace's own API. */
  look(path: string, query?: Record<string, string>): Promise<Json>;
  messages(as: string, channel: string): Promise<Json[]>;
  close(): Promise<void>;
}

export async function setStage(options: Partial<WorkspaceOptions> = {}): Promise<Stage> {
  const app = await startApp();
  const clock = testClock();
  const workspace = await createWorkspace({
    file: ':memory:',
    manifest: manifest(),
    signingSecret,
    botToken,
    clientId: 'client.1',
    clientSecret: 'client-secret',
    clock,
    random: systemRandom,
    log: silentLog,
    ...options,
    rules: { postsPerSecond: 0, acknowledgeMs: 10_000, triggerMs: 60_000, eventRetryMs: [0, 0, 0], ...options.rules },
  });
  workspace.setAppUrl(app.url);
  const { url } = await workspace.listen();
  const read = async (response: Response): Promise<Json> => (await response.json()) as Json;
  const json = { 'content-type': 'application/json' };
  const look = async (path: string, query: Record<string, string> = {}) =>
    read(await fetch(`${url}/sandbox/${path}?${new URLSearchParams(query)}`));
  return {
    url,
    workspace,
    app,
    clock,
    look,
    api: async (method, args = {}, token = botToken) =>
      read(
        await fetch(`${url}/api/${method}`, {
          method: 'POST',
          headers: { ...json, authorization: `Bearer ${token}` },
          body: JSON.stringify(args),
        }),
      ),
    person: async (path, body = {}) =>
      read(await fetch(`${url}/sandbox/${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) })),
    messages: async (as, channel) => (await look('messages', { as, channel })).messages as Json[],
    async close() {
      await workspace.close();
      await app.close();
    },
  };
}

/** The messages in response_metadata. */
export const faults = (answer: Json): string[] => (answer.response_metadata as { messages: string[] }).messages;

export const plain = (text: string): Json => ({ type: 'plain_text', text });
export const modal = (blocks: Json[] = [], more: Json = {}): Json => ({
  type: 'modal',
  title: plain('A modal'),
  submit: plain('Save'),
  callback_id: 'a_modal',
  blocks,
  ...more,
});
export const textInput = (blockId: string, more: Json = {}, element: Json = {}): Json => ({
  type: 'input',
  block_id: blockId,
  label: plain('Label'),
  element: { type: 'plain_text_input', action_id: 'value', ...element },
  ...more,
});

/** Types the command as a person and returns the trigger id that the app receives. */
export async function triggerOf(stage: Stage, as = 'U0ADA'): Promise<string> {
  await stage.person('say', { as, channel: 'C0FRONTGATE', text: '/barcode x' });
  return stage.app.heard.at(-1)!.form.trigger_id!;
}
