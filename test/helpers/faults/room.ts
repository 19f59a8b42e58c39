/**
 * The environment of a fault run: a simulated workspace and account on ports of their own, which can go down and come
 * back, a database, relays with their channels, and the app's processes.
 */
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { type Clock, systemClock, systemRandom } from '../../../src/clock.js';
import { silentLog } from '../../../src/log.js';
import type { Owner } from '../../../src/ownership.js';
import { createRelays, type RelaySettings, relaySettingsSchema } from '../../../src/relay/index.js';
import type { FaultState } from '../../../src/sandbox/codereadr/api.js';
import { createAccountService, sampleKeys } from '../../../src/sandbox/codereadr/index.js';
import type { RecordedCall, Rules, ShownMessage } from '../../../src/sandbox/slack/api.js';
import { createWorkspace, harbourHall } from '../../../src/sandbox/slack/index.js';
import type { Store } from '../../../src/workspaces/types.js';
import { type AppProcess, type AppProcessOptions, startApp } from '../app-process.js';
import { expectNoSecrets } from '../canaries.js';
import { openTestStore } from '../databases.js';
import { countFaults } from './fault-counts.js';

export interface RoomOptions {
  /** The number of channels, each with a relay that posts every scan. */
  readonly channels: number;
  /** Additional relays, each into the channel with that index (from 0). */
  readonly more?: readonly {
    readonly channel: number;
    readonly notable: 'all' | 'invalid';
    /** A function where rules name channels, whose ids are not known before. */
    readonly settings?: Partial<RelaySettings> | ((channels: readonly string[]) => Partial<RelaySettings>);
  }[];
  /** A PostgreSQL URL; by default a SQLite file. */
  readonly databaseUrl?: string;
  /** The folder of the SQLite file; by default a new one. */
  readonly databaseFolder?: string;
  readonly rules?: Partial<Rules>;
  /** The longest delay of Slack, once before it stores a message and once before it responds. */
  readonly slackTakesMs?: number;
  /** Whether an account is connected. */
  readonly connected?: boolean;
  /** Additional settings. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The clock of the workspace, the account and what is prepared; by default the machine's. */
  readonly clock?: Clock;
  /** Whether the app is subscribed to the event of its own messages, which goes to `appUrl`. */
  readonly receipts?: boolean;
  /** Called when Slack has taken a message, before it says so. */
  readonly beforeAnswer?: (answer: AcceptedMessage) => Promise<void>;
  /** Where people's commands and clicks go; by default nowhere. */
  readonly appUrl?: string;
}

/** Slack's answer to chat.postMessage. */
export interface AcceptedMessage {
  readonly ok: boolean;
  readonly message?: { readonly metadata?: { readonly event_payload: { readonly key: string } } };
}

type AccountFaults = Pick<FaultState, 'next'>;

export interface RoomRelay {
  readonly id: string;
  readonly channel: string;
  readonly notable: 'all' | 'invalid';
  /** The path of the relay's webhook URL, with the secret. */
  readonly path: string;
}

export interface Neighbour {
  readonly url: string;
  /** Closes its port and breaks open connections. */
  leave(): Promise<void>;
  comeBack(): Promise<void>;
}

export interface FaultRoom {
  readonly owner: Owner;
  readonly databaseUrl: string;
  readonly relays: readonly RoomRelay[];
  /** Fails if faults were put into a method, or into the account, and no call ever ran into one. */
  expectFaultsReached(): Promise<void>;
  readonly slack: Neighbour;
  readonly account: Neighbour;
  /** Changes the workspace's rules and faults. */
  rules(rules: Partial<Rules>): Promise<void>;
  accountFaults(faults: AccountFaults): Promise<void>;
  /** Posts as a person. */
  say(channel: string, text: string): Promise<void>;
  /** The channel's messages, oldest first. */
  messages(channel: string): Promise<readonly ShownMessage[]>;
  calls(): Promise<readonly RecordedCall[]>;
  /** Starts the app on `port`, which it keeps across restarts. */
  start(port: number, how?: Pick<AppProcessOptions, 'clockWrongBy' | 'clockHeld'>): AppProcess;
  store(): Promise<Store>;
  /** Stops running processes and scans their output and data for secrets. */
  close(): Promise<void>;
}

const team = harbourHall.team.id;
const botToken = 'xoxb-canary-fault-token-321';
export const roomSigningSecret = 'canary-fault-signing-654';
const sealingKey = Buffer.alloc(32, 9);

export async function openRoom(options: RoomOptions): Promise<FaultRoom> {
  const folder = await mkdtemp(join(tmpdir(), 'scandesk-fault-'));
  const { clock = systemClock } = options;
  const parts = { clock, random: systemRandom, log: silentLog };
  const account = await createAccountService({
    ...parts,
    file: ':memory:',
    limits: { minute: 1_000, day: 100_000 },
  });
  const manifest = parse(await readFile(new URL('../../../manifest.yml', import.meta.url), 'utf8'));
  if (options.receipts) {
    manifest.oauth_config.scopes.bot.push('metadata.message:read');
    manifest.settings.event_subscriptions.bot_events.push('message_metadata_posted');
    manifest.settings.event_subscriptions.metadata_subscriptions = [{ app_id: '*', event_type: 'scandesk_scan' }];
  }
  const workspace = await createWorkspace({
    ...parts,
    file: ':memory:',
    manifest,
    signingSecret: roomSigningSecret,
    botToken,
    ...(options.appUrl === undefined ? {} : { appUrl: options.appUrl }),
    clientId: '11.22',
    clientSecret: 'canary-fault-client-987',
    // The invariants must hold where Slack ignores client_msg_id.
    rules: { postsPerSecond: 0, methodTiers: false, clientMsgIds: 'ignored', ...options.rules },
  });
  const slack = await openNeighbour(slowly((req, res) => workspace.handle(req, res), options));
  const accountNeighbour = await openNeighbour((req, res) => account.handle(req, res));
  const databaseFile = join(options.databaseFolder ?? folder, 'scandesk.db');
  const databaseUrl = options.databaseUrl ?? `file:${databaseFile}`;
  const owner: Owner = { installation: team, team };
  const instances: AppProcess[] = [];
  const faultCounts = countFaults();
  let printed = '';

  const ask = async <Answer>(url: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(
      url,
      body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
    );
    if (!response.ok) {
      throw new Error(`${new URL(url).pathname}: ${response.status} ${await response.text()}`);
    }
    return (await response.json()) as Answer;
  };
  const sandbox = <Answer>(path: string, body?: unknown) => ask<Answer>(`${slack.url}/sandbox/${path}`, body);
  const rules: FaultRoom['rules'] = async (next) => {
    if (next.faults) {
      faultCounts.replace(next.faults, (await sandbox<Rules>('rules', {})).faults);
    }
    await sandbox('rules', next);
  };
  const accountFaults: FaultRoom['accountFaults'] = async (next) => {
    const url = `${accountNeighbour.url}/scanner/faults`;
    faultCounts.replace(next.next, (await ask<AccountFaults>(url, {})).next);
    await ask(url, next);
  };
  const store = () => openTestStore(databaseUrl, { secretKeys: [sealingKey], clock });

  const channels: string[] = [];
  for (let n = 1; n <= options.channels; n++) {
    const { channel } = await sandbox<{ channel: { id: string } }>('channels', { as: 'U0ADA', name: `gate-${n}` });
    await sandbox('invite', { as: 'U0ADA', channel: channel.id, user: harbourHall.team.bot_user });
    channels.push(channel.id);
  }
  const prepared = await store();
  const service = createRelays({ store: prepared, clock, random: systemRandom, onPosts: () => undefined });
  const relays: RoomRelay[] = [];
  const wanted: Required<RoomOptions>['more'] = [
    ...channels.map((_, channel) => ({ channel, notable: 'all' as const })),
    ...(options.more ?? []),
  ];
  for (const { channel: n, notable, settings } of wanted) {
    const channel = channels[n]!;
    const made = await service.create({
      ...{ owner, serviceIds: [], serviceName: `Gate ${n}`, channel, notable, createdBy: 'U0ADA' },
      ...(settings === undefined
        ? {}
        : { settings: relaySettingsSchema.parse(typeof settings === 'function' ? settings(channels) : settings) }),
    });
    relays.push({ id: made.relay.id, channel, notable, path: made.path });
  }
  if (options.connected) {
    await prepared.workspaces.connect(owner, sampleKeys.demo, { connectedBy: 'U0ADA', connectedAt: clock.now() });
  }
  await prepared.close();

  const settingsFor = (port: number): Record<string, string> => ({
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    HOST: '127.0.0.1',
    PORT: String(port),
    SCANDESK_SECRET: sealingKey.toString('base64'),
    SLACK_SIGNING_SECRET: roomSigningSecret,
    SLACK_BOT_TOKEN: botToken,
    SLACK_API_URL: `${slack.url}/api/`,
    ACCOUNT_API_URL: `${accountNeighbour.url}/api/`,
    BARCODE_API_URL: `${accountNeighbour.url}/barcode/api/`,
    DATABASE_URL: databaseUrl,
    POST_INTERVAL_MS: '0',
    METRICS: '1',
    ...options.settings,
  });

  return {
    owner,
    databaseUrl,
    relays,
    slack,
    account: accountNeighbour,
    rules,
    accountFaults,
    async expectFaultsReached() {
      await rules({ faults: [] });
      await accountFaults({ next: [] });
      expect(faultCounts.unreached(), 'where no call ran into a fault').toEqual([]);
    },
    say: async (channel, text) => {
      await sandbox('say', { as: 'U0ADA', channel, text });
    },
    messages: async (channel) =>
      (await sandbox<{ messages: ShownMessage[] }>(`messages?as=U0ADA&channel=${channel}&limit=100000`)).messages,
    calls: async () => (await sandbox<{ calls: RecordedCall[] }>('calls?since=0')).calls,
    start(port, how = {}) {
      const instance = startApp(settingsFor(port), {
        print: (text) => {
          printed += text;
        },
        ...how,
      });
      instances.push(instance);
      return instance;
    },
    store,
    async close() {
      await Promise.all(instances.map((instance) => instance.stop()));
      await slack.comeBack();
      const { calls } = await sandbox<{ calls: RecordedCall[] }>('calls?since=0');
      await slack.leave();
      await accountNeighbour.leave();
      await workspace.close();
      await account.close();
      try {
        const relaySecrets = relays.map(({ id, path }) => [`the secret of ${id}`, path.split('/').at(-1)!]);
        expectNoSecrets({
          secrets: {
            accountKey: sampleKeys.demo,
            botToken,
            signingSecret: roomSigningSecret,
            ...Object.fromEntries(relaySecrets),
          },
          log: printed,
          databaseFile,
          calls,
        });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

type Handle = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/** Delays a call before Slack stores the message, and its answer: a kill in between leaves the post unconfirmed. */
function slowly(handle: Handle, { slackTakesMs: takesMs = 0, beforeAnswer, clock }: RoomOptions): Handle {
  return async (req, res) => {
    if (clock) {
      res.setHeader('date', new Date(clock.now()).toUTCString());
    }
    if (beforeAnswer && req.url?.endsWith('/chat.postMessage')) {
      const end = res.end.bind(res) as (...parts: unknown[]) => typeof res;
      res.end = ((...parts: unknown[]) => {
        const answer = JSON.parse(String(parts[0])) as AcceptedMessage;
        (answer.ok ? beforeAnswer(answer) : Promise.resolve()).finally(() => end(...parts)).catch(() => undefined);
        return res;
      }) as typeof res.end;
    }
    if (takesMs > 0 && /\/chat\.(postMessage|update)$/.test(req.url ?? '')) {
      const end = res.end.bind(res) as (...parts: unknown[]) => typeof res;
      res.end = ((...parts: unknown[]) => {
        setTimeout(() => end(...parts), systemRandom.fraction() * takesMs);
        return res;
      }) as typeof res.end;
      await wait(systemRandom.fraction() * takesMs);
    }
    await handle(req, res);
  };
}

async function openNeighbour(handle: Handle): Promise<Neighbour & { readonly server: Server }> {
  const server = createServer({ keepAliveTimeout: 65_000 }, (req, res) => {
    handle(req, res).catch(() => res.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    server,
    url: `http://127.0.0.1:${port}`,
    async leave() {
      if (server.listening) {
        const closed = once(server, 'close');
        server.close();
        server.closeAllConnections();
        await closed;
      }
    },
    async comeBack() {
      if (!server.listening) {
        server.listen(port, '127.0.0.1');
        await once(server, 'listening');
      }
    },
  };
}
