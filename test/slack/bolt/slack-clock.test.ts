import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.js';
import type { Accounts } from '../../../src/codereadr/types.js';
import { readConfig } from '../../../src/config.js';
import { silentLog } from '../../../src/log.js';
import { createSlackClients } from '../../../src/slack/bolt/clients.js';
import { createSlackClock } from '../../../src/slack/bolt/slack-clock.js';
import { createPublisher } from '../../../src/slack/posts/slack-publisher.js';

describe("Slack's clock", () => {
  const sleep = async () => undefined;
  const date = 'Sat, 21 Nov 2026 17:00:00 GMT';
  const at = Date.UTC(2026, 10, 21, 17);

  it('Slack’s clock is unknown until Slack has answered with a valid date', () => {
    const slack = createSlackClock({ now: () => 5, sleep });
    expect(slack.now()).toBeUndefined();
    slack.setFrom(null);
    slack.setFrom('yesterday');
    expect(slack.now()).toBeUndefined();
    slack.setFrom(date);
    expect(slack.now()).toBe(at);
  });

  it('Slack’s clock advances with elapsed time, whatever the computer’s clock is set to', () => {
    let now = 0;
    let steady = 100;
    const clock: Clock = { now: () => now, steady: () => steady, sleep };
    const slack = createSlackClock(clock);
    slack.setFrom(date);
    now = 7_200_000;
    expect(slack.now()).toBe(at);
    steady = 1_600.75;
    expect(slack.now()).toBe(at + 1_500);
    slack.setFrom('Sat, 21 Nov 2026 17:00:09 GMT');
    expect(slack.now()).toBe(at + 9_000);
  });
});

describe('the time by which posts are searched', () => {
  const owner = { installation: 'T1', team: 'T1' };
  const hour = 3_600_000;
  /** A computer's clock that is two hours ahead. */
  const clock: Clock = { ...systemClock, now: () => Date.now() + 2 * hour };

  function posterFor(url: string) {
    const config = readConfig({
      PUBLIC_URL: 'http://127.0.0.1:9',
      SCANDESK_SECRET: Buffer.alloc(32).toString('base64'),
      SLACK_SIGNING_SECRET: 'x',
      SLACK_BOT_TOKEN: 'xoxb-x',
      SLACK_API_URL: url,
    });
    const findTokens = async () => ({ botToken: 'xoxb-x' });
    const { clientFor, slackClock } = createSlackClients({ config, clock, log: silentLog, findTokens });
    const accounts: Accounts = {
      open: () => {
        throw new Error('nobody asks the account for the time');
      },
      forget: () => undefined,
      close: async () => undefined,
    };
    const store = { workspaces: {} } as Parameters<typeof createPublisher>[0]['store'];
    const workflows = { start: async () => ({ outcome: 'delivered' as const }) };
    const budgets = { take: async () => 0, exhaust: async () => undefined, forget: async () => undefined };
    return createPublisher({ clientFor, slackClock, accounts, store, budgets, workflows, log: silentLog, clock });
  }

  it('posts are searched by Slack’s time, which is requested once and read even from an HTTP 500', async () => {
    let asked = 0;
    const server = createServer({ keepAliveTimeout: 65_000 }, (_req, res) => {
      asked += 1;
      res.writeHead(500).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const poster = posterFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`);
    const told = [await poster.time!(owner), await poster.time!(owner)];
    server.closeAllConnections();
    server.close();
    expect(asked).toBe(1);
    for (const time of told) {
      expect(Math.abs(time - Date.now())).toBeLessThan(hour);
    }
  });

  it('posts are searched by the computer’s time while Slack’s time is unknown', async () => {
    expect(await posterFor('http://127.0.0.1:9/api/').time!(owner)).toBeGreaterThan(Date.now() + hour);
  });
});
