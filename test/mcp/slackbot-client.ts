/** Slackbot as a client: the library's own strict client, which signs as Slack does and names the person in each call. */
import { createHmac } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestApp } from '../slack/test-app.js';

export interface Identity {
  readonly user_id?: string;
  readonly team_id?: string;
  readonly enterprise_id?: string;
}

export interface ToolResult<Data> {
  readonly data: Data;
  readonly text: string;
  readonly blocks: readonly Record<string, unknown>[];
  readonly isError: boolean;
}

export const harbour: Identity = { user_id: 'U0ADA', team_id: 'T0SANDBOX1' };

export function signature(secret: string, at: number | string, body: string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex')}`;
}

/** Headers of a request that Slack signed. */
export function signed(secret: string, body: string, at: number | string = Math.floor(Date.now() / 1_000)) {
  return {
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    ...{ 'x-slack-request-timestamp': String(at), 'x-slack-signature': signature(secret, at, body) },
  };
}

export async function slackbotFor(
  { appUrl, signingSecret }: Pick<TestApp, 'appUrl' | 'signingSecret'>,
  now: () => number = Date.now,
) {
  const client = new Client(
    { name: 'slackbot', version: '1.0.0' },
    { capabilities: { extensions: { 'io.slack/block-kit': { mimeTypes: ['application/vnd.slack.blocks+json'] } } } },
  );
  const transport = new StreamableHTTPClientTransport(new URL(`${appUrl}/mcp`), {
    fetch: (url, init) => {
      const headers = new Headers(init?.headers);
      for (const [name, value] of Object.entries(
        signed(signingSecret, String(init?.body ?? ''), Math.floor(now() / 1_000)),
      )) {
        headers.set(name, headers.get(name) ?? value);
      }
      return fetch(url, { ...init, headers });
    },
  });
  await client.connect(transport);
  await client.listTools();
  return {
    client,
    /** The client checks the answer against the tool's schema. */
    async call<Data = Record<string, never>>(
      name: string,
      input: Record<string, unknown> = {},
      slack: Identity = harbour,
    ): Promise<ToolResult<Data>> {
      const result = await client.callTool({ name, arguments: input, _meta: { slack } });
      const [first] = result.content as { text: string }[];
      const meta = result._meta as { slack?: { blocks?: readonly Record<string, unknown>[] } } | undefined;
      return {
        data: result.structuredContent as Data,
        text: first?.text ?? '',
        blocks: meta?.slack?.blocks ?? [],
        isError: result.isError === true,
      };
    },
    close: () => client.close(),
  };
}
