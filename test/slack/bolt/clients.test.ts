import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type App, createApp } from '../../../src/app.js';
import { systemClock } from '../../../src/clock.js';
import { type Config, readConfig } from '../../../src/config.js';
import { silentLog } from '../../../src/log.js';
import { createSlackClients } from '../../../src/slack/bolt/clients.js';
import { sqliteDatabases } from '../../helpers/databases.js';
import { wideIt } from '../../helpers/tier/wide-it.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const signingSecret = 'a-signing-secret';
const workspaces = 400;
/** The most bytes left in memory for a workspace: a client that stayed would take 27,000. */
const mostEach = 8_000;

describe('a workspace at rest', () => {
  const databases = sqliteDatabases();
  /** A server in place of Slack, which answers every request with `ok`. */
  const slack = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    asked.push(request.url ?? '');
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{"ok":true}'));
  });
  const asked: string[] = [];
  let slackUrl: string;
  let config: Config;

  beforeAll(async () => {
    await once(slack.listen(0, '127.0.0.1'), 'listening');
    slackUrl = `http://127.0.0.1:${(slack.address() as AddressInfo).port}`;
    config = readConfig({
      ...{ PUBLIC_URL: 'http://127.0.0.1:1', HOST: '127.0.0.1', PORT: '0' },
      ...{ SLACK_BOT_TOKEN: 'xoxb-x', SLACK_SIGNING_SECRET: signingSecret, SLACK_API_URL: `${slackUrl}/api/` },
      ...{ DATABASE_URL: await databases.fresh(), SCANDESK_SECRET: Buffer.alloc(32, 1).toString('base64') },
    });
  });
  afterAll(() => {
    slack.closeAllConnections();
    slack.close();
  });

  /** The bytes of memory that stay for each workspace once `work` was done in it. */
  async function leftOfEach(work: (team: string) => Promise<void>): Promise<number> {
    const inAll = async (from: number, to: number) => {
      for (let n = from; n < to; n += 1) {
        await work(`T${n}`);
      }
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = await inAll(0, 50);
    return ((await inAll(50, 50 + workspaces)) - before) / workspaces;
  }

  wideIt(
    'no Slack client of an idle workspace stays in memory after a post',
    async () => {
      const findTokens = async ({ teamId }: { teamId?: string | undefined }) => ({ botToken: `xoxb-${teamId}` });
      const { clientFor } = createSlackClients({ config, clock: systemClock, log: silentLog, findTokens });
      const left = await leftOfEach(async (team) => {
        const client = await clientFor({ installation: team, team });
        expect(client).toMatchObject({ token: `xoxb-${team}`, teamId: team });
        expect(await client.chat.postMessage({ channel: 'C0GATE', text: 'x' })).toMatchObject({ ok: true });
      });
      expect(left).toBeLessThan(mostEach);
    },
    120_000,
  );

  wideIt(
    'no Slack client of an idle workspace stays in memory after a command',
    async () => {
      const app: App = await createApp(config, { log: silentLog });
      const { port } = await app.start();
      const left = await leftOfEach(async (team) => {
        const { status } = await command(`http://127.0.0.1:${port}/slack/events`, team);
        expect(status).toBe(200);
      });
      await app.stop();
      expect(asked.filter((path) => path === '/response')).toHaveLength(50 + workspaces);
      expect(left).toBeLessThan(mostEach);
    },
    120_000,
  );

  async function command(url: string, team: string): Promise<Response> {
    const body = new URLSearchParams({
      ...{ team_id: team, channel_id: 'C0GATE', user_id: 'U0ONE', user_name: 'one', command: '/barcode', text: 'help' },
      ...{ is_enterprise_install: 'false', response_url: `${slackUrl}/response`, trigger_id: '1.2.3' },
    }).toString();
    const at = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', signingSecret).update(`v0:${at}:${body}`).digest('hex');
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': String(at),
        'x-slack-signature': `v0=${signature}`,
      },
      body,
    });
    await response.arrayBuffer();
    return response;
  }
});
