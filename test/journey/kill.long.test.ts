import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { systemClock, systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import type { ShownMessage } from '../../src/sandbox/slack/api.js';
import { createWorkspace, type Workspace } from '../../src/sandbox/slack/index.js';
import { type AppProcess, startApp } from '../helpers/app-process.js';
import { openTestStore, sqliteDatabases, testSecretKey } from '../helpers/databases.js';
import { answersWithinMs } from '../helpers/faults/devices.js';
import { heldUpSince } from '../helpers/faults/held-up.js';
import { freePort } from '../helpers/free-port.js';
import { shareOf } from '../helpers/long-share.js';
import { gate, postScan, relaysOf, scanForm } from '../helpers/relay.js';

const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
const botToken = 'xoxb-canary-kill-token';
const channelCount = 20;
const scansEach = 10;
const kills = shareOf(100);

const databases = sqliteDatabases();
const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) {
    await close();
  }
});

/**
 * A Slack that waits before it takes a post and before it answers: during most of a post's way, a kill leaves the
 * outcome in doubt.
 */
async function serveSlowly(workspace: Workspace): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    const slow = request.url?.endsWith('/chat.postMessage') ? 150 : 0;
    const end = response.end.bind(response) as (...parts: unknown[]) => typeof response;
    response.end = ((...parts: unknown[]) => {
      setTimeout(() => end(...parts), systemRandom.fraction() * slow);
      return response;
    }) as typeof response.end;
    wait(systemRandom.fraction() * slow)
      .then(() => workspace.handle(request, response))
      .catch(() => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await workspace.close();
    },
  };
}

/** A device: it posts a scan until it is answered with a document, and only then the next one. */
async function postUntilAnswered(url: string, form: Record<string, string>): Promise<number> {
  for (let tries = 1; ; tries++) {
    const sentAt = performance.now();
    const answer = await postScan(url, form).catch(() => undefined);
    if (answer) {
      const tookMs = performance.now() - sentAt - heldUpSince(sentAt);
      expect(tookMs, 'a device that is answered is answered in time').toBeLessThan(answersWithinMs);
    }
    if (answer?.status === 200 && answer.body.includes('<status>1</status>')) {
      return tries;
    }
    await wait(50);
  }
}

it(`an app killed ${kills} times posts ${channelCount * scansEach} scans over ${channelCount} channels once each and in order`, async () => {
  const workspace = await createWorkspace({
    file: ':memory:',
    manifest: parse(await readFile(new URL('../../manifest.yml', import.meta.url), 'utf8')),
    signingSecret: 'signing',
    botToken,
    clientId: '1.2',
    clientSecret: 'secret',
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    // The promises have to hold where Slack ignores a client_msg_id.
    rules: { postsPerSecond: 0, methodTiers: false, clientMsgIds: 'ignored' },
  });
  const slack = await serveSlowly(workspace);
  closing.push(() => slack.close());
  const ask = async <Answer>(path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${slack.url}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json' },
    });
    return (await response.json()) as Answer;
  };

  const url = await databases.fresh();
  const store = await openTestStore(url);
  const port = await freePort();
  const lanes: { channel: string; url: string; forms: Record<string, string>[] }[] = [];
  for (let n = 0; n < channelCount; n++) {
    const { channel } = await ask<{ channel: { id: string } }>('/sandbox/channels', { as: 'U0ADA', name: `gate-${n}` });
    await ask('/sandbox/invite', { as: 'U0ADA', channel: channel.id, user: 'U0SCANDESK1' });
    const { path } = await relaysOf(store).create({ ...gate, owner, channel: channel.id, createdBy: 'U0ADA' });
    const forms = Array.from({ length: scansEach }, (_, k) => scanForm({ tid: `gate-${n}-scan-${k}`, udid: `d${n}` }));
    lanes.push({ channel: channel.id, url: `http://127.0.0.1:${port}${path}`, forms });
  }
  await store.close();

  const settings = {
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SCANDESK_SECRET: testSecretKey.toString('base64'),
    SLACK_SIGNING_SECRET: 'signing',
    SLACK_BOT_TOKEN: botToken,
    SLACK_API_URL: `${slack.url}/api/`,
    DATABASE_URL: url,
    PORT: String(port),
    HOST: '127.0.0.1',
    POST_INTERVAL_MS: '0',
  };

  // Each scan waits for its round, so that they are spread over all the lives, however long those are.
  let round = 0;
  let answered = 0;
  let tries = 0;
  const devices = lanes.map(async ({ url: to, forms }) => {
    for (const [k, form] of forms.entries()) {
      const due = ((k + systemRandom.fraction()) * kills) / scansEach;
      while (round < due) {
        await wait(20);
      }
      const triesOfScan = await postUntilAnswered(to, form);
      tries += triesOfScan;
      answered += 1;
    }
  });

  for (; round < kills; round++) {
    const app: AppProcess = startApp(settings);
    // Most processes are killed at work, some while they start; a few live long enough to find what a dead one left.
    const early = systemRandom.fraction() < 0.1;
    if (early) {
      await wait(systemRandom.fraction() * 500);
    } else {
      await app.listening;
      await wait(systemRandom.fraction() * (round % 10 === 9 ? 7_000 : 800));
    }
    await app.kill();
  }

  const last = startApp(settings);
  closing.push(() => last.kill());
  await last.listening;
  await Promise.all(devices);
  expect(answered).toBe(channelCount * scansEach);
  // Scans that a process committed before it died without an answer, or never received, were sent again.
  expect(tries).toBeGreaterThan(answered);

  const shown = async (channel: string): Promise<string[]> => {
    const { messages } = await ask<{ messages: ShownMessage[] }>(`/sandbox/messages?as=U0ADA&channel=${channel}`);
    return messages
      .filter(({ user }) => user === 'U0SCANDESK1')
      .flatMap(({ text }) => /gate-\d+-scan-\d+/.exec(text) ?? []);
  };
  const everything = async () => (await Promise.all(lanes.map(({ channel }) => shown(channel)))).flat().length;
  await expect.poll(everything, { timeout: 120_000, interval: 500 }).toBeGreaterThanOrEqual(answered);
  // A post sent twice would come late.
  await wait(5_000);
  for (const { channel, forms } of lanes) {
    expect(await shown(channel)).toEqual(forms.map(({ tid }) => tid));
  }
  expect(await last.stop()).toBe(0);

  const after = await openTestStore(url);
  const states = await after.db.selectFrom('outbox').select(['state']).distinct().execute();
  const inDoubt = await after.db.selectFrom('outbox').select('key').where('unconfirmed_at', 'is not', null).execute();
  const scans = await after.db.selectFrom('received_scans').select('id').execute();
  await after.close();
  // Without a kill between a post and its record, this test would show nothing.
  expect(inDoubt.length).toBeGreaterThan(0);
  expect(states).toEqual([{ state: 'delivered' }]);
  expect(scans.length).toBe(channelCount * scansEach);
});
