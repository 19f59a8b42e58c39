/** A workspace that answers some methods late, and the settings of an app that is killed meanwhile. */
import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'yaml';
import { systemClock, systemRandom } from '../../src/clock.js';
import { silentLog } from '../../src/log.js';
import type { ShownMessage } from '../../src/sandbox/slack/api.js';
import { createWorkspace } from '../../src/sandbox/slack/index.js';
import { triggerPath } from '../../src/sandbox/slack/web/workflows.js';
import { testSecretKey } from '../helpers/databases.js';
import { freePort } from '../helpers/free-port.js';

export const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
const botToken = 'xoxb-canary-kill-token';
const clientSecret = 'secret';
const workflowPath = triggerPath({ clientSecret }, owner.team);
/** The name by which the start of the workflow can be one of the slow methods. */
export const workflowStart = workflowPath.split('/').at(-1) ?? '';
/** How long an answer is late: a kill within this time leaves the outcome in doubt. */
const slowMs = 600;

/** `slowMethods`: the methods whose answers come late. */
export async function startSlowWorkspace(slowMethods: readonly string[]) {
  const workspace = await createWorkspace({
    file: ':memory:',
    manifest: parse(await readFile(new URL('../../manifest.yml', import.meta.url), 'utf8')),
    ...{ signingSecret: 'signing', botToken, clientId: '1.2', clientSecret },
    ...{ clock: systemClock, random: systemRandom, log: silentLog },
    // The promises have to hold where Slack ignores a client_msg_id.
    rules: { postsPerSecond: 0, methodTiers: false, clientMsgIds: 'ignored' },
  });
  const taken = new EventEmitter();
  const slow = createServer((request, response) => {
    const end = response.end.bind(response) as (...parts: unknown[]) => typeof response;
    response.end = ((...parts: unknown[]) => {
      const slowMethod = slowMethods.find((method) => request.url?.endsWith(`/${method}`));
      if (slowMethod) {
        taken.emit(slowMethod);
      }
      setTimeout(() => end(...parts), slowMethod ? slowMs : 0);
      return response;
    }) as typeof response.end;
    workspace.handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((done) => slow.listen(0, '127.0.0.1', done));
  const slackUrl = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
  const ask = async <Answer>(path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${slackUrl}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json' },
    });
    return (await response.json()) as Answer;
  };

  return {
    /** Resolves once the workspace did what the next call of this slow method asked for, or after `mostMs`. */
    async takes(slowMethod: string, mostMs: number): Promise<void> {
      await once(taken, slowMethod, { signal: AbortSignal.timeout(mostMs) }).catch(() => undefined);
    },

    /** A channel that the app is in. */
    async createChannel(name: string): Promise<string> {
      const { channel } = await ask<{ channel: { id: string } }>('/sandbox/channels', { as: 'U0ADA', name });
      await ask('/sandbox/invite', { as: 'U0ADA', channel: channel.id, user: 'U0SCANDESK1' });
      return channel.id;
    },

    /** The app's messages in the channel. */
    async posted(channel: string): Promise<readonly ShownMessage[]> {
      const { messages } = await ask<{ messages: ShownMessage[] }>(`/sandbox/messages?as=U0ADA&channel=${channel}`);
      return messages.filter(({ user }) => user === 'U0SCANDESK1');
    },

    /** The variables of each start of the workflow, in the order of the starts. */
    async started(): Promise<readonly Readonly<Record<string, string>>[]> {
      const { messages } = await ask<{ messages: ShownMessage[] }>(
        '/sandbox/messages?as=U0ADA&channel=C0STOCKROOM&limit=10000',
      );
      return messages
        .filter(({ from_app: workflow }) => workflow !== undefined)
        .map(({ blocks }) => {
          const lines = JSON.stringify(blocks).matchAll(/\\n(\w+): ([^\\"]*)/g);
          return Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
        });
    },

    triggerUrl: `${slackUrl}${workflowPath}`,

    /** The content of a file, read with the app's token. */
    async fileContent({ id, name }: { readonly id: string; readonly name: string }): Promise<Uint8Array> {
      const headers = { authorization: `Bearer ${botToken}` };
      const url = `${slackUrl}/files-pri/${owner.team}-${id}/download/${name}`;
      return new Uint8Array(await (await fetch(url, { headers })).arrayBuffer());
    },

    async settings(databaseUrl: string): Promise<Readonly<Record<string, string>>> {
      const port = await freePort();
      return {
        ...{ PUBLIC_URL: `http://127.0.0.1:${port}`, PORT: String(port), HOST: '127.0.0.1', DATABASE_URL: databaseUrl },
        ...{ SCANDESK_SECRET: testSecretKey.toString('base64'), SLACK_SIGNING_SECRET: 'signing' },
        ...{ SLACK_BOT_TOKEN: botToken, SLACK_API_URL: `${slackUrl}/api/`, POST_INTERVAL_MS: '0' },
      };
    },

    async close(): Promise<void> {
      slow.closeAllConnections();
      await new Promise((done) => slow.close(done));
      await workspace.close();
    },
  };
}
