import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { openTestStore } from './helpers/databases.js';
import { freePort } from './helpers/free-port.js';

/** How long a start may take on a machine that does much else. */
const startMs = 45_000;

const entry = resolve(import.meta.dirname, '../dist/main.js');
const folder = mkdtempSync(join(tmpdir(), 'scandesk-main-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The process as `npm start` starts it, in a folder of this test, with these settings and no others. */
function start(settings: Record<string, string>, by: readonly string[] = [], cwd = folder, file = entry) {
  const [program = process.execPath, ...args] = [...by, process.execPath, file];
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed.text += text;
    });
  }
  return { child, printed, ended: once(child, 'close').then(([code]) => code as number | null) };
}

const portIn = (printed: string): number => Number(/"port":(\d+)/.exec(printed)?.[1]);

const enough = {
  PUBLIC_URL: 'http://127.0.0.1',
  HOST: '127.0.0.1',
  PORT: '0',
  SCANDESK_SECRET: Buffer.alloc(32, 9).toString('base64'),
  SLACK_SIGNING_SECRET: 'canary-signing',
  SLACK_BOT_TOKEN: 'xoxb-canary-token',
  SLACK_API_URL: 'http://127.0.0.1:9/api/',
};

it.each([
  ['a port that is none', { DEMO_PORT: 'abc' }, 'DEMO_PORT is “abc”, but must be a whole number from 0 to 65535.'],
  ['a log level that is none', { DEMO_LOG: 'loud' }, 'DEMO_LOG is “loud”, but must be one of trace, debug'],
  ['a folder that cannot be made', { DEMO_DATA: '/dev/null/x' }, 'the folder /dev/null/x can’t be used: ENOTDIR'],
])('npm run demo with %s exits with 1, and says which setting to change', async (_, settings, said) => {
  const { printed, ended } = start(settings, [], folder, resolve(entry, '../demo.js'));
  expect(await ended).toBe(1);
  expect(printed.text).toContain(`Scandesk demo can’t start: ${said}`);
  expect(printed.text).not.toMatch(/\bat .+:\d+:\d+/);
});

describe('npm start', () => {
  it('npm start without settings names the missing settings, points to the demo, and exits with 78', async () => {
    const { printed, ended } = start({ npm_lifecycle_event: 'start' });
    expect(await ended).toBe(78);
    for (const name of ['PUBLIC_URL', 'SCANDESK_SECRET', 'SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET']) {
      expect(printed.text).toContain(name);
    }
    expect(printed.text).toContain('npm run demo');
    expect(printed.text).not.toMatch(/\bat .+:\d+:\d+/);
  });

  it('npm start takes scans while Slack is down, says so, and is ready once Slack has answered', async () => {
    const port = await freePort();
    const { child, printed, ended } = start({ ...enough, SLACK_API_URL: `http://127.0.0.1:${port}/api/` });
    await expect.poll(() => printed.text, { timeout: startMs }).toContain('Scandesk is listening');
    const at = (path: string) => fetch(`http://127.0.0.1:${portIn(printed.text)}${path}`);
    expect((await at('/healthz')).status).toBe(200);
    expect(
      (await fetch(`http://127.0.0.1:${portIn(printed.text)}/relay/rl_none/none`, { method: 'POST' })).status,
    ).toBe(404);
    await expect.poll(async () => (await at('/readyz')).text()).toBe('Slack has not answered yet\n');
    await expect
      .poll(() => printed.text)
      .toMatch(
        /Scandesk is running, but[\s\S]*SLACK_API_URL +Slack at 127\.0\.0\.1:\d+ can’t be reached \(ECONNREFUSED\)/,
      );
    expect(printed.text).not.toMatch(/\bat .+:\d+:\d+/);
    expect(printed.text).not.toContain('http request failed');

    const slack = createServer({ keepAliveTimeout: 65_000 }, (_request, response) => {
      response.setHeader('content-type', 'application/json').end('{"ok":true,"team_id":"T1"}');
    });
    await new Promise<void>((done) => slack.listen(port, '127.0.0.1', done));
    await expect.poll(async () => (await at('/readyz')).status).toBe(200);
    slack.close();
    slack.closeAllConnections();
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(printed.text).not.toContain('canary');
    const migrated = printed.text.split('\n').find((line) => line.includes('the database was migrated'));
    expect(migrated).toMatch(/"steps":\d+,/);
    expect(migrated).not.toMatch(/\d{3}-[a-z]/);
  });

  it('npm start reports “not ready” while Slack refuses the bot token, and prints the remedy once', async () => {
    const slack = createServer({ keepAliveTimeout: 65_000 }, (_request, response) => {
      response.setHeader('content-type', 'application/json').end('{"ok":false,"error":"invalid_auth"}');
    });
    await new Promise<void>((done) => slack.listen(0, '127.0.0.1', done));
    const { port } = slack.address() as AddressInfo;
    const settings = { ...enough, SLACK_API_URL: `http://127.0.0.1:${port}/api/`, LOG_FORMAT: 'pretty', METRICS: '1' };
    const { child, printed, ended } = start({ ...settings, PORT: String(await freePort()) });
    const at = (path: string) => fetch(`http://127.0.0.1:${/port: (\d+)/.exec(printed.text)?.[1]}${path}`);
    await expect.poll(() => printed.text, { timeout: startMs }).toContain('Scandesk is listening');
    await expect.poll(async () => (await at('/readyz')).status).toBe(503);
    expect(await (await at('/readyz')).text()).toBe('Slack refuses the bot token: invalid_auth\n');
    expect((await at('/healthz')).status).toBe(200);
    expect(await (await at('/metrics')).text()).toContain('scandesk_bot_token_refused 1');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    slack.close();
    expect(printed.text.match(/Slack refuses the bot token: copy the Bot User OAuth Token/g)).toHaveLength(1);
    expect(printed.text).not.toContain('canary');
    expect(printed.text).not.toContain('{"level"');
  });

  it('npm start exits within 5 seconds of SIGTERM, though a silent client is connected', async () => {
    const { child, printed, ended } = start(enough);
    await expect.poll(() => printed.text, { timeout: startMs }).toContain('Scandesk is listening');
    const socket = connect(portIn(printed.text), '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    const asked = performance.now();
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(performance.now() - asked).toBeLessThan(5_000);
  });

  it('npm start reports “not ready” during DRAIN_SECONDS after SIGTERM, until a second SIGTERM ends the wait', async () => {
    const slack = createServer({ keepAliveTimeout: 65_000 }, (_request, response) => {
      response.setHeader('content-type', 'application/json').end('{"ok":true,"team_id":"T1"}');
    });
    await new Promise<void>((done) => slack.listen(0, '127.0.0.1', done));
    onTestFinished(() => void slack.close());
    const { port } = slack.address() as AddressInfo;
    const settings = { ...enough, SLACK_API_URL: `http://127.0.0.1:${port}/api/` };
    const { child, printed, ended } = start({ ...settings, DRAIN_SECONDS: '600' });
    await expect.poll(() => printed.text, { timeout: startMs }).toContain('Scandesk is listening');
    const status = async (path: string) => (await fetch(`http://127.0.0.1:${portIn(printed.text)}${path}`)).status;
    await expect.poll(() => status('/readyz')).toBe(200);
    child.kill('SIGTERM');
    await expect.poll(() => status('/readyz')).toBe(503);
    expect(await status('/healthz')).toBe(200);
    expect(await status('/')).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toBe(1);
  });

  it.runIf(process.platform === 'linux')('npm start warns when too few files and connections can be open', async () => {
    const few = start(enough, ['sh', '-c', 'ulimit -n 128; exec "$0" "$@"']);
    await expect.poll(() => few.printed.text).toContain('only 128 files and connections can be open at once');
    few.child.kill('SIGKILL');
    await few.ended;

    const { child, printed, ended } = start(enough, ['sh', '-c', 'ulimit -n 4096; exec "$0" "$@"']);
    await expect.poll(() => printed.text, { timeout: startMs }).toContain('Scandesk is listening');
    expect(printed.text).not.toContain('files and connections');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  const faults: readonly [fault: string, settings: Record<string, string>, told: RegExp][] = [
    [
      'a SQLite file in a folder that is none',
      { DATABASE_URL: 'file:/dev/null/no/such.db' },
      /DATABASE_URL +The folder of the SQLite file \/dev\/null\/no\/such\.db doesn’t exist, and can’t be made\./,
    ],
    [
      'a SQLite file in a folder that the system refuses to make',
      { DATABASE_URL: 'file:/proc/nope/deeper/x.db' },
      /DATABASE_URL +The folder of the SQLite file \/proc\/nope\/deeper\/x\.db doesn’t exist, and can’t be made\./,
    ],
    [
      'a SQLite file that is a folder',
      { DATABASE_URL: `file:${folder}` },
      /DATABASE_URL +\/.* is a folder\. Name a file in it, as file:\/.*\/scandesk\.db\./,
    ],
    [
      'a SQLite file that is no database',
      { DATABASE_URL: `file:${import.meta.filename}` },
      /DATABASE_URL +The file \/.*main\.test\.ts is no SQLite database\. Name another file/,
    ],
    [
      'a PostgreSQL that does not run',
      { DATABASE_URL: 'postgres://scandesk:canary@127.0.0.1:9/x?sslpassword=canary' },
      /DATABASE_URL +PostgreSQL at 127\.0\.0\.1:9 can’t be reached\..*\n +It is set to: postgres:\/\/scandesk:•••@127\.0\.0\.1:9\/x\?sslpassword=•••\n/,
    ],
    [
      'a PostgreSQL URL that is no URL',
      { DATABASE_URL: 'postgres://scandesk:canary#ca@nary@127.0.0.1:99999/x' },
      /DATABASE_URL +is “postgres:\/\/scandesk:•••@127\.0\.0\.1:99999\/x”, but must be like postgres:\/\/USER:PASSWORD@HOST:5432\/DATABASE/,
    ],
    [
      'a database URL of another kind',
      { DATABASE_URL: 'mysql:scandesk:canary@db/x' },
      /DATABASE_URL +is “mysql:•••@db\/x”, but must start with file: or postgres:\/\//,
    ],
    ['a host name that no server knows', { HOST: 'no.invalid' }, /HOST +no\.invalid is no address of this machine\./],
    [
      'a port of an address that this machine has not',
      { HOST: '192.0.2.1' },
      /HOST +192\.0\.2\.1 is no address of this machine\./,
    ],
    [
      'a value that is not allowed',
      { PORT: '70000' },
      /PORT +is “70000”, but must be a whole number from 0 to 65535\.\n +Example: 3000/,
    ],
    [
      'a URL that breaks two rules',
      { ACCOUNT_API_URL: 'api.example.com' },
      /ACCOUNT_API_URL +is “api\.example\.com”, but must be a URL that starts with https:\/\/ or http:\/\/\.\n/,
    ],
    [
      'a client ID without its secret',
      { SLACK_BOT_TOKEN: '', SLACK_CLIENT_ID: '1.2' },
      /SLACK_CLIENT_SECRET +SLACK_CLIENT_ID is set, so Scandesk needs its secret too/,
    ],
    [
      'a word that is not allowed',
      { LOG_LEVEL: 'loud' },
      /LOG_LEVEL +is “loud”, but must be one of trace, debug, info/,
    ],
    [
      'a user token as the bot token',
      { SLACK_BOT_TOKEN: 'xoxp-canary' },
      /SLACK_BOT_TOKEN +is set, but must begin with xoxb-; this is a user token \(xoxp-…\)\. Copy it from/,
    ],
    [
      'a bot token as the app token',
      { SLACK_APP_TOKEN: 'xoxb-canary' },
      /SLACK_APP_TOKEN +is set, but must begin with xapp-; this is a bot token \(xoxb-…\)\. Copy it from/,
    ],
    [
      'a bot token as the signing secret',
      { SLACK_SIGNING_SECRET: 'xoxb-canary' },
      /SLACK_SIGNING_SECRET +is set, but must be the signing secret; this is a bot token \(xoxb-…\)\. Copy it from/,
    ],
    [
      'a misspelled name beside a missing one',
      { SCANDESK_SECRET: '', SCANDESK_SECERT: 'canary' },
      /SCANDESK_SECRET +is not set, but SCANDESK_SECERT is: did you mean SCANDESK_SECRET\?/,
    ],
  ];

  it.each([
    [
      'an older line',
      '001-foundation',
      /DATABASE_URL +A version of Scandesk before 1\.0\.0 made this database, .*Name a/,
    ],
    ['a newer version', '001-schema', /DATABASE_URL +A newer version of Scandesk made this database\. Start that/],
  ])('npm start on a database of %s exits with 78, which version made it and what to do', async (_, first, told) => {
    const path = join(folder, `${first}.db`);
    const store = await openTestStore(`file:${path}`);
    await sql`update kysely_migration set name = ${first} where name = '001-schema'`.execute(store.db);
    await sql`insert into kysely_migration (name, timestamp) values ('999-other', '2030')`.execute(store.db);
    await store.close();
    const { printed, ended } = start({ ...enough, DATABASE_URL: `file:${path}` });
    expect(await ended).toBe(78);
    expect(printed.text).toMatch(told);
    expect(printed.text).not.toMatch(/999-other|\bat .+:\d+:\d+/);
  });

  it('npm start with a .env that cannot be read exits with 78 and says why', async () => {
    const cwd = join(folder, 'unreadable');
    mkdirSync(join(cwd, '.env'), { recursive: true });
    const { printed, ended } = start(enough, [], cwd);
    expect(await ended).toBe(78);
    expect(printed.text).toContain('Scandesk can’t start: the file .env in this folder can’t be read (EISDIR).');
    expect(printed.text).not.toMatch(/\bat .+:\d+:\d+/);
  });

  it.each(faults)(
    'npm start with %s exits with the setting’s name, what to do, and 78 unless the fault may pass by itself',
    async (_fault, settings, told) => {
      const { printed, ended } = start({ ...enough, ...settings });
      const mayPass = settings.HOST !== undefined || settings.DATABASE_URL?.includes('127.0.0.1:9/') === true;
      expect(await ended).toBe(mayPass ? 1 : 78);
      expect(printed.text).toContain('Scandesk can’t start: ');
      expect(printed.text).toMatch(told);
      expect(printed.text).not.toContain('canary');
      expect(printed.text).not.toMatch(/\bat .+:\d+:\d+|"level"|Set them/);
      expect(printed.text).toMatch(
        /(Set it|Settings are) in the environment or in \/.*\/\.env, which does not exist\. Then start Scandesk again\.\n(To try .*\n)?$/,
      );
    },
  );

  it('npm start with a misspelled setting that has a default starts, and names the setting that was meant', async () => {
    const { child, printed, ended } = start({ ...enough, LOGLEVEL: 'debug' });
    await expect.poll(() => printed.text, { timeout: startMs }).toContain('LOG_LEVEL      is not set, but LOGLEVEL is');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('npm start exits with 1, the port and what to do when the port is taken', async () => {
    const first = start(enough);
    await expect.poll(() => first.printed.text, { timeout: startMs }).toContain('Scandesk is listening');
    const port = String(portIn(first.printed.text));
    const second = start({ ...enough, PORT: port, DATABASE_URL: 'file:other.db' });
    expect(await second.ended).toBe(1);
    expect(second.printed.text).toMatch(new RegExp(`PORT +Another program listens on port ${port} already\\. Stop it`));
    expect(second.printed.text).not.toMatch(/\bat .+:\d+:\d+/);
    expect(second.printed.text.match(/Another program listens/g)).toHaveLength(1);
    first.child.kill('SIGTERM');
    await first.ended;
  });
});
