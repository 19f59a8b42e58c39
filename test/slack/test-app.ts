/**
 * The whole app with the simulated workspace and the embedded account, over real HTTP, and people who type, click, fill
 * in forms and read. Every wait is a poll, so that no test depends on timing.
 */
import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { createApp } from '../../src/app.js';
import { type Clock, systemClock, systemRandom } from '../../src/clock.js';
import { readConfig } from '../../src/config.js';
import { createPictureReader } from '../../src/images/index.js';
import { createLog, type Log, silentLog } from '../../src/log.js';
import { type AccountService, createAccountService, sampleKeys } from '../../src/sandbox/codereadr/index.js';
import type {
  RecordedCall,
  Rules,
  SayResult,
  ShownMessage,
  ShownView,
  SubmitResult,
  WorkspaceState,
} from '../../src/sandbox/slack/api.js';
import {
  createWorkspace,
  harbourHall,
  northDepot,
  type Workspace,
  withSlackbot,
} from '../../src/sandbox/slack/index.js';
import { triggerPath } from '../../src/sandbox/slack/web/workflows.js';
import { blockNamed } from '../../src/slack/block-kit/block-names.js';
import type { Store } from '../../src/workspaces/types.js';
import { expectNoSecrets } from '../helpers/canaries.js';
import { copyMigrated, openTestStore, testSecretKey } from '../helpers/databases.js';
import { arm, settle, untouched } from '../helpers/faults/reached.js';
import { freePort } from '../helpers/free-port.js';
import { builtPictureWorker } from '../helpers/picture-worker.js';

export const accountKey = sampleKeys.demo;
export const otherAccountKey = sampleKeys.other;

export interface TestAppOptions {
  /** With OAuth: two workspaces, not installed yet. Without: one, by its bot token. */
  readonly oauth?: boolean;
  /** Both workspaces belong to this organization, for an org-wide install. */
  readonly organisation?: { readonly id: string; readonly name: string };
  readonly rules?: Partial<Rules>;
  readonly limits?: { readonly minute?: number; readonly day?: number };
  /** Additional settings. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Slackbot is a client of the app's MCP server, as docs/slackbot.md says. */
  readonly slackbot?: boolean;
  /** Collects the app's log lines. */
  readonly lines?: string[];
  /** A clock that a test can advance. */
  readonly clock?: Clock;
  /** The app's own clock: with an old database, the time at which the database was last used. */
  readonly appClock?: Clock;
  /** The app's database; by default a new file. */
  readonly databaseUrl?: string;
  /** The workspace's file; by default it is in memory. */
  readonly workspaceFile?: string;
}

export interface TestApp {
  readonly appUrl: string;
  readonly slackUrl: string;
  readonly accountUrl: string;
  readonly account: AccountService;
  /** The app's SQLite file; with PostgreSQL, a path without a file. */
  readonly databaseFile: string;
  /** Opens a second store on the app's database, with the same key. Close it. */
  openStore(): Promise<Store>;
  readonly signingSecret: string;
  person(userId: string): Person;
  rules(rules: Partial<Rules>): Promise<Rules>;
  /** Injects the account's next faults: see the embedded account's faults. */
  accountFaults(faults: unknown): Promise<void>;
  /** Makes every call of the account fail until other faults are set; a call then also fails the test. */
  forbidAccountCalls(): Promise<void>;
  calls(since?: number): Promise<readonly RecordedCall[]>;
  /** Sends a request signed as by Slack; `type` is the body's content type. */
  signed(body: string, how?: { secret?: string; at?: number; type?: string }): Promise<Response>;
  /** A POST to the workspace's own API, for what no person does. */
  post(path: string, body: unknown): Promise<unknown>;
  /** Moves the app's address in the workspace; pass `appUrl` to restore it. */
  setAppUrl(url: string): void;
  stop(): Promise<void>;
}

export const botToken = 'xoxb-canary-bot-token-123';
const signingSecret = 'canary-signing-secret-456';
const clientSecret = 'canary-client-secret-789';
/** The last part of the URL that starts a workflow. */
const triggerSecret = triggerPath({ clientSecret }, harbourHall.team.id).split('/').at(-1) ?? '';
const formType = 'application/x-www-form-urlencoded';

export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'scandesk-slack-'));
  const clock = options.clock ?? systemClock;
  const random = systemRandom;
  const account = await createAccountService({
    file: ':memory:',
    clock,
    random,
    log: silentLog,
    limits: options.limits ?? { minute: 1000, day: 100_000 },
  });
  const asked: string[] = [];
  const accountServer = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    listenIn(request, (body) => asked.push(body));
    account.handle(request, response).catch(() => response.destroy());
  });
  const accountUrl = await listening(accountServer);
  const manifest = parse(await readFile(new URL('../../manifest.yml', import.meta.url), 'utf8'));
  const workspace: Workspace = await createWorkspace({
    file: options.workspaceFile ?? ':memory:',
    manifest: options.slackbot ? withSlackbot(manifest) : manifest,
    signingSecret,
    ...(options.oauth ? {} : { botToken }),
    clientId: '11.22',
    clientSecret,
    clock,
    random,
    log: silentLog,
    teams: options.oauth || options.organisation ? [harbourHall, northDepot] : [harbourHall],
    ...(options.organisation ? { organisation: options.organisation } : {}),
    // A test file does in a minute what people do in a day.
    rules: { postsPerSecond: 0, methodTiers: false, ...options.rules },
  });
  const { url: slackUrl } = await workspace.listen();
  const databaseUrl = options.databaseUrl ?? `file:${join(folder, 'scandesk.db')}`;
  const databaseFile = databaseUrl.startsWith('file:') ? databaseUrl.slice('file:'.length) : join(folder, 'none.db');
  if (options.databaseUrl === undefined) {
    await copyMigrated(databaseFile);
  }
  const port = await freePort();
  const appUrl = `http://127.0.0.1:${port}`;
  const config = readConfig({
    PUBLIC_URL: appUrl,
    SCANDESK_SECRET: testSecretKey.toString('base64'),
    SLACK_SIGNING_SECRET: signingSecret,
    ...(options.oauth
      ? { SLACK_CLIENT_ID: '11.22', SLACK_CLIENT_SECRET: clientSecret }
      : { SLACK_BOT_TOKEN: botToken }),
    SLACK_API_URL: `${slackUrl}/api/`,
    SLACK_AUTHORIZE_URL: `${slackUrl}/oauth/v2/authorize`,
    ACCOUNT_API_URL: `${accountUrl}/api/`,
    BARCODE_API_URL: `${accountUrl}/barcode/api/`,
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    HOST: '127.0.0.1',
    // Most tests are of what the account answers; those of the mirror switch it on.
    MIRROR_SHARE: '0',
    ...(options.slackbot ? { MCP: 'on' } : {}),
    ...options.settings,
  });
  const lines = options.lines ?? [];
  const log: Log = createLog({ level: 'debug', destination: { write: (line: string) => lines.push(line) } });
  const pictures = createPictureReader({ clock: systemClock, log, workerFile: builtPictureWorker });
  const app = await createApp(config, { log, clock: options.appClock ?? clock, random, pictures });
  await app.start();
  workspace.setAppUrl(appUrl);

  async function ask<T>(path: string): Promise<T> {
    return (await (await fetch(slackUrl + path)).json()) as T;
  }
  async function post(path: string, body: unknown): Promise<unknown> {
    const response = await fetch(slackUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.json();
  }

  async function accountState(faults: unknown = {}): Promise<{ readonly next: readonly object[] }> {
    const response = await fetch(`${accountUrl}/scanner/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(faults),
    });
    return (await response.json()) as { readonly next: readonly object[] };
  }

  return {
    appUrl,
    slackUrl,
    accountUrl,
    account,
    databaseFile,
    openStore: () => openTestStore(databaseUrl),
    signingSecret,
    person: (userId) => new Person(userId, ask, post),
    async rules(rules) {
      if (rules.faults) {
        await settle(workspace);
      }
      const now = (await post('/sandbox/rules', rules)) as Rules;
      if (rules.faults) {
        arm(workspace, async () => untouched(now.faults, ((await post('/sandbox/rules', {})) as Rules).faults));
      }
      return now;
    },
    async accountFaults(faults) {
      await settle(account);
      const { next } = await accountState(faults);
      arm(account, async () => untouched(next, (await accountState()).next));
    },
    async forbidAccountCalls() {
      await settle(account);
      const { next } = await accountState({ next: [{ as: 'reset', times: 1_000 }] });
      arm(account, async () =>
        isDeepStrictEqual((await accountState()).next, next) ? [] : ['the account was called, though it was not to be'],
      );
    },
    calls: async (since = 0) => (await ask<{ calls: RecordedCall[] }>(`/sandbox/calls?since=${since}`)).calls,
    post,
    setAppUrl: (url) => workspace.setAppUrl(url),
    signed(body, { secret = signingSecret, at = Math.floor(Date.now() / 1000), type = formType } = {}) {
      const signature = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex');
      return fetch(`${appUrl}/slack/events`, {
        method: 'POST',
        headers: {
          'content-type': type,
          'x-slack-request-timestamp': String(at),
          'x-slack-signature': `v0=${signature}`,
        },
        body,
      });
    },
    async stop() {
      await settle(workspace);
      await settle(account);
      await app.stop();
      const { calls } = await ask<{ calls: RecordedCall[] }>('/sandbox/calls?since=0');
      await workspace.close();
      accountServer.closeAllConnections();
      await new Promise((done) => accountServer.close(done));
      await account.close();
      try {
        expectNoSecrets({
          secrets: { accountKey, otherAccountKey, botToken, signingSecret, clientSecret, triggerSecret },
          log: lines.join(''),
          databaseFile,
          calls,
          asked,
        });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Reads a request's body without consuming it for its handler. */
function listenIn(request: IncomingMessage, hear: (body: string) => void): void {
  const chunks: Buffer[] = [];
  const emit = request.emit.bind(request) as (event: string, ...details: unknown[]) => boolean;
  request.emit = (event: string, ...details: unknown[]) => {
    if (event === 'data') {
      chunks.push(Buffer.from(details[0] as Buffer));
    } else if (event === 'end') {
      hear(Buffer.concat(chunks).toString('utf8'));
    }
    return emit(event, ...details);
  };
}

/** A clock that starts with a new minute: the account's call counter must not reset while a test reads it. */
export function clockFromFullMinute(): Clock {
  const into = systemClock.now() % 60_000;
  return { ...systemClock, now: () => systemClock.now() - into };
}

/** Polls until there is a result. */
export async function eventually<T>(
  ask: () => Promise<T | undefined | false>,
  what: string,
  withinMs = 40_000,
): Promise<T> {
  const until = Date.now() + withinMs;
  // What is soon there is soon seen; what takes long is asked for less often, as each question takes processor time.
  for (let pauseMs = 8; ; pauseMs = Math.min(200, pauseMs * 1.6)) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) {
      return answer;
    }
    if (Date.now() > until) {
      throw new Error(`waited in vain for ${what}`);
    }
    await new Promise((done) => setTimeout(done, pauseMs));
  }
}

type Chosen = Readonly<Record<string, unknown>>;

export class Person {
  constructor(
    readonly id: string,
    private readonly ask: <T>(path: string) => Promise<T>,
    private readonly post: (path: string, body: unknown) => Promise<unknown>,
  ) {}

  async say(text: string, channel = 'C0GENERAL'): Promise<SayResult> {
    return (await this.post('/sandbox/say', { as: this.id, channel, text })) as SayResult;
  }

  async messages(channel = 'C0GENERAL'): Promise<readonly ShownMessage[]> {
    const { messages } = await this.ask<{ messages: ShownMessage[] }>(
      `/sandbox/messages?as=${this.id}&channel=${channel}`,
    );
    return messages;
  }

  async channels(): Promise<WorkspaceState['channels']> {
    return (await this.ask<WorkspaceState>(`/sandbox/state?as=${this.id}`)).channels;
  }

  /** The app's direct messages to this person. */
  async directMessages(): Promise<readonly ShownMessage[]> {
    const channels = await this.channels();
    const all = await Promise.all(channels.filter((each) => each.is_im).map((each) => this.messages(each.id)));
    return all.flat();
  }

  /** Types a command and returns the ephemeral response: on a busy machine, what comes after the slow notice. */
  command(text: string, channel?: string): Promise<ShownMessage> {
    return this.firstAnswer(text, channel, (message) => !message.text.startsWith('One moment…'));
  }

  /** Types a command and returns the first message that comes. */
  async firstAnswer(text: string, channel = 'C0GENERAL', counts: (message: ShownMessage) => boolean = () => true) {
    const before = new Set((await this.messages(channel)).map((message) => message.ts));
    const said = await this.say(text, channel);
    if (!said.ok) {
      throw new Error(`${text}: ${said.error}`);
    }
    return eventually(
      async () => (await this.messages(channel)).find((message) => !before.has(message.ts) && counts(message)),
      `an answer to ${text}`,
    );
  }

  async window(): Promise<ShownView | undefined> {
    const { stack } = await this.ask<{ stack: ShownView[] }>(`/sandbox/views?as=${this.id}`);
    return stack.at(-1);
  }

  /** The top modal once it has this title and is no longer loading or saving. */
  async seesWindow(title: string): Promise<ShownView> {
    return eventually(async () => {
      const view = await this.window();
      return view && view.callback_id !== 'loading' && titleOf(view) === title ? view : undefined;
    }, `a window “${title}”`);
  }

  /** The top modal once it is this form. */
  async seesForm(callbackId: string): Promise<ShownView> {
    return eventually(async () => {
      const view = await this.window();
      return view?.callback_id === callbackId ? view : undefined;
    }, `the form ${callbackId}`);
  }

  async submit(view: ShownView, values: Readonly<Record<string, Readonly<Record<string, Chosen>>>> = {}) {
    const entered = Object.fromEntries(Object.entries(values).map(([block, value]) => [blockIn(view, block), value]));
    return (await this.post('/sandbox/submit', { as: this.id, view_id: view.id, values: entered })) as SubmitResult;
  }

  async close(view: ShownView): Promise<void> {
    await this.post('/sandbox/close', { as: this.id, view_id: view.id });
  }

  /** Clicks or chooses in a modal or App Home: the first element with that action. */
  async click(view: ShownView, actionId: string, chosen?: Chosen, blockId?: string): Promise<void> {
    const block = blockId === undefined ? blockWith(view.view.blocks, actionId) : blockIn(view, blockId);
    const result = (await this.post('/sandbox/action', {
      as: this.id,
      container: { type: 'view', view_id: view.id },
      block_id: block,
      action_id: actionId,
      ...(chosen ? { chosen } : {}),
    })) as { ok: boolean; error?: string };
    if (!result.ok) {
      throw new Error(`click on ${actionId}: ${JSON.stringify(result)}`);
    }
  }

  /** Clicks or chooses in a message. */
  async clickMessage(
    message: ShownMessage,
    actionId: string,
    chosen?: Chosen,
  ): Promise<{ ok: boolean; error?: string }> {
    return (await this.post('/sandbox/action', {
      as: this.id,
      container: { type: 'message', channel: message.channel, ts: message.ts },
      block_id: blockWith(message.blocks, actionId),
      action_id: actionId,
      ...(chosen ? { chosen } : {}),
    })) as { ok: boolean; error?: string };
  }

  /** Chooses in the menu of a relay's post, by the words of the option. */
  async choose(message: ShownMessage, words: string): Promise<{ ok: boolean; error?: string }> {
    return this.clickMessage(message, 'post.menu', optionNamed(message.blocks, words));
  }

  /** The options that a select in this block offers. */
  async optionsIn(view: ShownView, blockId: string, actionId: string, typed: string) {
    const { options = [] } = (await this.post('/sandbox/options', {
      as: this.id,
      container: { type: 'view', view_id: view.id },
      block_id: blockId,
      action_id: actionId,
      value: typed,
    })) as { options?: { text: { text: string }; value: string }[] };
    return options;
  }

  async options(view: ShownView, actionId: string, typed: string) {
    return (await this.post('/sandbox/options', {
      as: this.id,
      container: { type: 'view', view_id: view.id },
      block_id: blockWith(view.view.blocks, actionId),
      action_id: actionId,
      value: typed,
    })) as { options: { text: { text: string }; value: string }[] };
  }

  async openHome(): Promise<void> {
    await this.post('/sandbox/home', { as: this.id });
  }

  async home(): Promise<ShownView | null> {
    return (await this.ask<{ view: ShownView | null }>(`/sandbox/home?as=${this.id}`)).view;
  }
}

/** The id of the block with this name; a block whose choices change gets a new id each time. */
function blockIn(view: ShownView, name: string): string {
  const ids = (view.view.blocks as Block[]).flatMap(({ block_id: id }) => (id === undefined ? [] : [id]));
  return blockNamed(ids, name) ?? name;
}

/** The option of an overflow menu or a select by its text, as Slack sends it. */
export function optionNamed(blocks: unknown, words: string): Chosen {
  const found: unknown[] = [];
  JSON.stringify(blocks, (_key, value: unknown) => {
    const { text, value: option } = (value ?? {}) as { text?: { text?: string }; value?: string };
    if (option !== undefined && text?.text === words) {
      found.push(value);
    }
    return value;
  });
  if (found[0] === undefined) {
    throw new Error(`nothing here offers “${words}”: ${JSON.stringify(blocks)}`);
  }
  return { selected_option: found[0] };
}

export function titleOf(view: ShownView): string {
  return (view.view.title as { text: string }).text;
}

interface Block {
  readonly block_id?: string;
  readonly accessory?: { readonly action_id?: string };
  readonly element?: { readonly action_id?: string };
  readonly elements?: readonly { readonly action_id?: string }[];
}

function blockWith(blocks: unknown, actionId: string): string {
  const found = (blocks as Block[]).find((block) =>
    [block.accessory, block.element, ...(block.elements ?? [])].some((element) => element?.action_id === actionId),
  );
  if (!found?.block_id) {
    throw new Error(`nothing here has the action ${actionId}: ${JSON.stringify(blocks)}`);
  }
  return found.block_id;
}

/** A target for response_urls, for requests that the simulated workspace does not send. */
export async function openInbox() {
  const asked: { blocks: unknown }[] = [];
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      asked.push(JSON.parse(text));
      response.end('ok');
    });
  });
  return {
    url: `${await listening(server)}/`,
    first: () => eventually(async () => asked[0], 'an answer through the response_url'),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
