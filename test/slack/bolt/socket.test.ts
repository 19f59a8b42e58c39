import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../../src/app.js';
import { readConfig } from '../../../src/config.js';
import { silentLog } from '../../../src/log.js';
import { sqliteDatabases } from '../../helpers/databases.js';
import { read } from '../block-kit/reading.js';
import { type SocketServer, startSocketServer } from '../socket-server.js';
import { eventually } from '../test-app.js';

describe('Socket Mode', () => {
  const databases = sqliteDatabases();
  let slack: SocketServer;
  let app: Awaited<ReturnType<typeof createApp>>;
  let port: number;

  async function startApp(): Promise<void> {
    const config = readConfig({
      PUBLIC_URL: 'http://127.0.0.1',
      SCANDESK_SECRET: Buffer.alloc(32, 7).toString('base64'),
      SLACK_BOT_TOKEN: 'xoxb-socket',
      SLACK_APP_TOKEN: 'xapp-socket',
      SLACK_API_URL: `${slack.url}/api/`,
      DATABASE_URL: await databases.fresh(),
      PORT: '0',
      HOST: '127.0.0.1',
    });
    app = await createApp(config, { log: silentLog });
    port = (await app.start()).port;
  }

  const command = (envelope: string) => ({
    type: 'slash_commands',
    envelope_id: envelope,
    accepts_response_payload: true,
    payload: {
      command: '/scandesk',
      text: 'status',
      user_id: 'U1',
      team_id: 'T1',
      channel_id: 'C1',
      trigger_id: '1.2.3',
      response_url: `${slack.url}/response`,
    },
  });

  beforeEach(async () => {
    slack = await startSocketServer();
  });
  afterEach(async () => {
    await app.stop();
    await slack.close();
  });

  test('a command that arrives through Socket Mode is acknowledged and answered', async () => {
    await startApp();
    await eventually(async () => slack.opened() === 1, 'the socket');
    slack.send(command('one'));
    await eventually(async () => slack.acknowledged.some((each) => each.envelope_id === 'one'), 'an acknowledgement');
    await eventually(async () => slack.answers.length > 0, 'an answer');
    expect(read(slack.answers[0]!.blocks)).toContain('No scanning account is connected yet');
  });

  test('the app starts in Socket Mode while Slack is down, connects later, and reconnects', async () => {
    await slack.down();
    await startApp();
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    await slack.up();
    await eventually(async () => slack.opened() === 1, 'the socket', 30_000);
    await slack.down();
    await slack.up();
    await eventually(async () => slack.opened() >= 2, 'the socket again', 60_000);
    slack.send(command('two'));
    await eventually(async () => slack.acknowledged.some((each) => each.envelope_id === 'two'), 'an acknowledgement');
  }, 120_000);

  test('the app in Socket Mode accepts no requests of Slack by HTTP', async () => {
    await startApp();
    expect((await fetch(`http://127.0.0.1:${port}/slack/events`, { method: 'POST' })).status).toBe(404);
  });
});
