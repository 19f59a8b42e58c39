/**
 * The demo: the simulated account and Slack workspace with the real app between them, on free ports, with sample data.
 * The app runs as in production: only its settings differ.
 * Own settings: DEMO_PORT (the page's port), DEMO_DATA (the folder), DEMO_LOG (the app's log level).
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { createApp } from '../app.js';
import { systemClock, systemRandom } from '../clock.js';
import { readConfig } from '../config.js';
import { createLog, logLevels } from '../log.js';
import { createAccountService } from './codereadr/index.js';
import { createWorkspace, withSlackbot } from './slack/index.js';

const port = z.coerce.number().int().min(0).max(65_535);
const settingsSchema = z.object({
  DEMO_PORT: port.optional().catch(({ value }) => refuse('DEMO_PORT', value, 'a whole number from 0 to 65535')),
  DEMO_LOG: z
    .enum(logLevels)
    .default('warn')
    .catch(({ value }) => refuse('DEMO_LOG', value, `one of ${logLevels.join(', ')}`)),
  DEMO_DATA: z.string().default('data/demo'),
});

function refuse(name: string, given: unknown, allowed: string): never {
  throw new DemoError(`${name} is “${given}”, but must be ${allowed}.`);
}

/** A fault that whoever starts the demo can end: its message says how. */
class DemoError extends Error {}

/** The data that survives a restart: the ports, so that URLs already handed out stay valid, and the credentials. */
const memorySchema = z.object({
  pagePort: z.number(),
  appPort: z.number(),
  sealingKey: z.string(),
  signingSecret: z.string(),
  botToken: z.string(),
  clientSecret: z.string(),
});
type Memory = z.output<typeof memorySchema>;

function readMemory(file: string): Memory {
  if (existsSync(file)) {
    return memorySchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  }
  return {
    pagePort: 0,
    appPort: 0,
    sealingKey: systemRandom.bytes(32).toString('base64'),
    signingSecret: systemRandom.bytes(16).toString('hex'),
    botToken: `xoxb-demo-${systemRandom.bytes(12).toString('hex')}`,
    clientSecret: systemRandom.bytes(16).toString('hex'),
  };
}

/** Listens on the requested port, or on a free one if it is in use. */
async function listen(server: Server, port: number): Promise<number> {
  const attempt = (wanted: number) =>
    new Promise<number>((done, fail) => {
      server.once('error', fail);
      server.listen(wanted, '127.0.0.1', () => {
        server.off('error', fail);
        done((server.address() as AddressInfo).port);
      });
    });
  try {
    return await attempt(port);
  } catch (error) {
    if (port !== 0 && error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      return attempt(0);
    }
    throw error;
  }
}

/** Finds a free port: the app needs to know its own address before it starts. */
async function freePort(wanted: number): Promise<number> {
  const probe = createServer();
  const port = await listen(probe, wanted);
  await new Promise<void>((done) => probe.close(() => done()));
  return port;
}

/** Makes the demo's folder, if there is none, and reads what an earlier demo left there. */
function openFolder(folder: string): { readonly memoryFile: string; readonly memory: Memory } {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const memoryFile = join(folder, 'demo.json');
    return { memoryFile, memory: readMemory(memoryFile) };
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new DemoError(
      `the folder ${folder} can’t be used: ${cause}\nName another one in DEMO_DATA, or remove this one to begin anew.`,
    );
  }
}

/** Ten times what accounts allow, so that whoever tries everything at once in a new account waits for nothing. */
const callsPerMinute = 300;

async function main(): Promise<void> {
  const settings = settingsSchema.parse(process.env);
  const folder = resolve(settings.DEMO_DATA);
  const { memoryFile, memory } = openFolder(folder);
  const log = createLog({ level: 'warn' });
  const shared = { clock: systemClock, random: systemRandom, log };

  const account = await createAccountService({
    ...shared,
    file: join(folder, 'account.db'),
    prefix: '/account',
    limits: { minute: callsPerMinute },
  });
  const workspace = await createWorkspace({
    ...shared,
    file: join(folder, 'workspace.db'),
    manifest: withSlackbot(parse(readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8'))),
    signingSecret: memory.signingSecret,
    botToken: memory.botToken,
    clientId: 'demo.client',
    clientSecret: memory.clientSecret,
  });

  const server = createServer({ keepAliveTimeout: 65_000 }, (req, res) => {
    const part = req.url?.startsWith('/account/') ? account : workspace;
    Promise.resolve(part.handle(req, res)).catch((error: unknown) => {
      log.error({ err: error }, 'a request to the sandbox failed');
      res.destroy();
    });
  });
  const pagePort = await listen(server, settings.DEMO_PORT ?? memory.pagePort);
  const page = `http://127.0.0.1:${pagePort}`;
  const appPort = await freePort(memory.appPort);
  const appUrl = `http://127.0.0.1:${appPort}`;

  const config = readConfig({
    PUBLIC_URL: appUrl,
    HOST: '127.0.0.1',
    PORT: String(appPort),
    SCANDESK_SECRET: memory.sealingKey,
    SLACK_SIGNING_SECRET: memory.signingSecret,
    SLACK_BOT_TOKEN: memory.botToken,
    SLACK_API_URL: `${page}/api/`,
    SLACK_AUTHORIZE_URL: `${page}/oauth/v2/authorize`,
    ACCOUNT_API_URL: `${page}/account/api/`,
    BARCODE_API_URL: `${page}/account/barcode/api/`,
    DATABASE_URL: `file:${join(folder, 'scandesk.db')}`,
    LOG_LEVEL: settings.DEMO_LOG,
    ACCOUNT_CALLS_PER_MINUTE: String(callsPerMinute),
    MCP: 'on',
  });
  const app = await createApp(config, { log: createLog({ level: config.LOG_LEVEL }) });
  await app.start();
  workspace.setAppUrl(appUrl);
  if (memory.appPort !== 0 && memory.appPort !== appPort) {
    account.moveUrls(`http://127.0.0.1:${memory.appPort}`, appUrl);
  }
  writeFileSync(memoryFile, JSON.stringify({ ...memory, pagePort, appPort }, null, 2), { mode: 0o600 });

  process.stdout.write(`Scandesk demo: open ${page}/ (Ctrl-C stops it)\n`);

  let stopping = false;
  const stopAll = () => {
    if (stopping) {
      process.exit(1);
    }
    stopping = true;
    const closing = new Promise<void>((done) => server.close(() => done()));
    Promise.resolve(app.stop())
      .then(() => {
        server.closeAllConnections();
        return closing;
      })
      .then(() => Promise.all([workspace.close(), account.close()]))
      .then(() => process.stdout.write(`Scandesk demo: stopped. Its data stays in ${folder}.\n`))
      .catch((error: unknown) => {
        process.stderr.write(`Scandesk demo: could not stop cleanly: ${String(error)}\n`);
        process.exitCode = 1;
      });
  };
  process.on('SIGINT', stopAll);
  process.on('SIGTERM', stopAll);
}

await main().catch((error: unknown) => {
  if (!(error instanceof DemoError)) {
    throw error;
  }
  process.stderr.write(`Scandesk demo can’t start: ${error.message}\n`);
  process.exitCode = 1;
});
