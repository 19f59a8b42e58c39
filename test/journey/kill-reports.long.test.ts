import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { systemClock, systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import { createReportStore } from '../../src/reports/table.js';
import type { ShownMessage } from '../../src/sandbox/slack/api.js';
import { createWorkspace } from '../../src/sandbox/slack/index.js';
import { startApp } from '../helpers/app-process.js';
import { onEachDatabase, openTestStore, testSecretKey } from '../helpers/databases.js';
import { freePort } from '../helpers/free-port.js';
import { gate, relaysOf } from '../helpers/relay.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
const botToken = 'xoxb-canary-kill-token';
const leastKills = 20;
const mostKills = 60;
const leastInDoubt = 3;
const minuteMs = 60_000;

onEachDatabase('while its process is killed again and again', ({ fresh }) => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  });

  it('each daily report is posted once, and each maker of one that cannot be posted gets one notice', async () => {
    const workspace = await createWorkspace({
      file: ':memory:',
      manifest: parse(await readFile(new URL('../../manifest.yml', import.meta.url), 'utf8')),
      ...{ signingSecret: 'signing', botToken, clientId: '1.2', clientSecret: 'secret' },
      ...{ clock: systemClock, random: systemRandom, log: silentLog },
      // What is promised has to hold where Slack makes nothing of a client_msg_id.
      rules: { postsPerSecond: 0, methodTiers: false, clientMsgIds: 'ignored' },
    });
    // It takes its time before it says that it took a post: there a kill leaves everybody in doubt.
    const slow = createServer((request, response) => {
      const end = response.end.bind(response) as (...parts: unknown[]) => typeof response;
      response.end = ((...parts: unknown[]) => {
        setTimeout(() => end(...parts), request.url?.endsWith('/chat.postMessage') ? 600 : 0);
        return response;
      }) as typeof response.end;
      workspace.handle(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((done) => slow.listen(0, '127.0.0.1', done));
    const slackUrl = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    closing.push(async () => {
      slow.closeAllConnections();
      await new Promise((done) => slow.close(done));
      await workspace.close();
    });
    const ask = async <Answer>(path: string, body?: unknown): Promise<Answer> => {
      const response = await fetch(`${slackUrl}${path}`, {
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'content-type': 'application/json' },
      });
      return (await response.json()) as Answer;
    };
    const ours = async (channel: string) => {
      const { messages } = await ask<{ messages: ShownMessage[] }>(`/sandbox/messages?as=U0ADA&channel=${channel}`);
      return messages.filter(({ user }) => user === 'U0SCANDESK1').map((message) => JSON.stringify(message));
    };

    const url = await fresh();
    const store = await openTestStore(url);
    closing.push(() => store.close());
    const { relay } = await relaysOf(store).create({ ...gate, owner, channel: 'C0GENERAL', createdBy: 'U0ADA' });
    const reports = createReportStore(store.db);
    const addReport = async (id: string, channel: string) => {
      const dueAt = Math.floor(Date.now() / minuteMs) * minuteMs;
      const at = new Date(dueAt);
      await reports.insert({
        ...{ id, owner, channel, subject: { relay: relay.id }, zone: 'Etc/UTC', day: 'today', createdBy: 'U0ADA' },
        ...{ hour: at.getUTCHours(), minute: at.getUTCMinutes(), createdAt: dueAt, dueAt, missed: 0 },
      });
    };
    const port = await freePort();
    const settings = {
      ...{ PUBLIC_URL: `http://127.0.0.1:${port}`, PORT: String(port), HOST: '127.0.0.1', DATABASE_URL: url },
      ...{ SCANDESK_SECRET: testSecretKey.toString('base64'), SLACK_SIGNING_SECRET: 'signing' },
      ...{ SLACK_BOT_TOKEN: botToken, SLACK_API_URL: `${slackUrl}/api/`, POST_INTERVAL_MS: '0' },
    };
    const inDoubt = async () =>
      await store.db.selectFrom('outbox').select('kind').where('unconfirmed_at', 'is not', null).execute();

    const channels: string[] = [];
    let kills = 0;
    for (; kills < mostKills; kills++) {
      if (kills < leastKills) {
        const name = `report-${kills}`;
        const { channel } = await ask<{ channel: { id: string } }>('/sandbox/channels', { as: 'U0ADA', name });
        await ask('/sandbox/invite', { as: 'U0ADA', channel: channel.id, user: 'U0SCANDESK1' });
        channels.push(channel.id);
        await addReport(`posted-${kills}`, channel.id);
        await addReport(`gone-${kills}`, `C0NOPE${kills}X`);
      } else if ((await inDoubt()).length >= leastInDoubt) {
        break;
      }
      const app = startApp(settings);
      await app.listening;
      await wait(systemRandom.fraction() * (kills % 5 === 4 ? 8_000 : 2_000));
      await app.kill();
    }

    const last = startApp(settings);
    closing.push(() => last.kill());
    await last.listening;
    const open = async () =>
      await store.db.selectFrom('outbox').select('key').where('finished_at', 'is', null).execute();
    const unsettled = async () => {
      const due = await reports.list(owner);
      const left = due.filter(({ id, postedAt, paused }) => (id.startsWith('gone') ? !paused : !postedAt));
      return left.length + (await reports.withNoticeDue()).length + (await open()).length;
    };
    await expect.poll(unsettled, { timeout: 240_000, interval: 1_000 }).toBe(0);
    // A post sent twice would come late.
    await wait(5_000);
    for (const [n, channel] of channels.entries()) {
      expect(await ours(channel), `report ${n} of ${kills} kills`).toHaveLength(1);
    }
    const notices = await store.db
      .selectFrom('outbox')
      .select('channel')
      .distinct()
      .where('kind', '=', 'notice')
      .execute();
    expect(notices).toEqual([{ channel: expect.stringMatching(/^D/) }]);
    const told = await ours(notices[0]?.channel ?? '');
    for (const n of channels.keys()) {
      expect(
        told.filter((message) => message.includes(`C0NOPE${n}X`)),
        `notice ${n}`,
      ).toHaveLength(1);
    }
    // Else no kill came between a post and its record, and this test has shown nothing.
    expect((await inDoubt()).length).toBeGreaterThanOrEqual(leastInDoubt);
    expect(await last.stop()).toBe(0);
    closing.splice(closing.length - 1, 1);
  });
});
