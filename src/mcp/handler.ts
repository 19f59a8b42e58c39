/**
 * The HTTP handler of `POST /mcp`: Streamable HTTP without sessions. A request that Slack did not sign, or a call for
 * nobody who may be answered, is refused before a tool is chosen, in the same words for everybody.
 */
import type { IncomingMessage } from 'node:http';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { HTTPModuleFunctions as http, verifySlackRequest } from '@slack/bolt';
import type { Clock } from '../clock.js';
import type { RefusalLog } from '../refusal-log.js';
import type { RequestHandler } from '../server.js';
import { type Caller, callerOf } from './caller.js';
import type { createToolServers } from './server.js';

/** The most bytes of a request: twenty barcodes of any characters, escaped. */
const largestBody = 64 * 1024;
const longestAgeMs = 5 * 60_000;

/**
 * - `mcp.method`: no POST. `mcp.body_too_large`: over `largestBody`. `mcp.body_cut`: incomplete. `mcp.body`: no object.
 * - `mcp.signature`: not signed with the app's secret, or more than 5 minutes from now.
 * - `mcp.caller`: a call for nobody, or for a workspace without Scandesk.
 */
const refusals = {
  'mcp.method': [405, -32_600, 'Only POST is served.'],
  'mcp.body_too_large': [413, -32_600, 'The request is too large.'],
  'mcp.body_cut': [400, -32_700, 'The request ended early.'],
  'mcp.body': [400, -32_700, 'The request is no JSON-RPC message.'],
  'mcp.signature': [401, -32_600, 'The request is not signed by Slack.'],
  'mcp.caller': [403, -32_600, 'The call is for nobody that Scandesk serves.'],
} as const;
type RefusalCode = keyof typeof refusals;

export function createMcpRoute(deps: {
  readonly signingSecret: string;
  readonly clock: Clock;
  readonly refusals: RefusalLog;
  readonly clients: Parameters<typeof callerOf>[1];
  readonly serverFor: ReturnType<typeof createToolServers>;
}): RequestHandler {
  const protocol = createMcpHandler(({ authInfo }) => deps.serverFor(authInfo?.extra?.caller as Caller | undefined), {
    maxSubscriptions: 0,
  });

  return async (request, response) => {
    const refuse = (code: RefusalCode) => {
      deps.refusals.add(request, { level: 'warn', message: 'a request to /mcp was refused', code });
      const [status, number, message] = refusals[code];
      response
        .writeHead(status, { 'content-type': 'application/json', ...(code === 'mcp.method' ? { allow: 'POST' } : {}) })
        .end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: number, message } }));
    };
    if (request.method !== 'POST') {
      refuse('mcp.method');
      return;
    }
    const body = await bodyOf(request);
    if (typeof body !== 'string') {
      refuse(body.refused);
      return;
    }
    if (!isSigned(request, body)) {
      refuse('mcp.signature');
      return;
    }
    const message = parseMessage(body);
    if (message === undefined) {
      refuse('mcp.body');
      return;
    }
    const isCall = message.method === 'tools/call';
    const caller = isCall ? await callerOf(message, deps.clients) : undefined;
    if (isCall && !caller) {
      refuse('mcp.caller');
      return;
    }
    const answer = await protocol.fetch(asWebRequest(request, body), {
      parsedBody: message,
      authInfo: { token: '', clientId: '', scopes: [], extra: { caller } },
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
  };

  function isSigned({ headers }: IncomingMessage, body: string): boolean {
    const { 'x-slack-signature': signature, 'x-slack-request-timestamp': sentAt } = headers;
    if (typeof signature !== 'string' || typeof sentAt !== 'string' || !/^\d{1,12}$/.test(sentAt)) {
      return false;
    }
    const now = deps.clock.now();
    const seconds = Number(sentAt);
    try {
      verifySlackRequest({
        signingSecret: deps.signingSecret,
        body,
        nowMilliseconds: now,
        headers: { 'x-slack-signature': signature, 'x-slack-request-timestamp': seconds },
      });
      return Math.abs(now - seconds * 1_000) <= longestAgeMs;
    } catch {
      return false;
    }
  }
}

async function bodyOf(request: IncomingMessage): Promise<string | { readonly refused: RefusalCode }> {
  try {
    const { rawBody } = await http.bufferIncomingMessage(request, largestBody);
    return rawBody.toString();
  } catch (error) {
    const isLarge = http.isRawBodyError(error) && error.statusCode === 413;
    return { refused: isLarge ? 'mcp.body_too_large' : 'mcp.body_cut' };
  }
}

/** Parses one message: the protocol has no batches any more, and each call names its own person. */
function parseMessage(body: string): { readonly method?: unknown } | undefined {
  try {
    const message: unknown = JSON.parse(body);
    return typeof message === 'object' && message !== null && !Array.isArray(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

function asWebRequest(request: IncomingMessage, body: string): Request {
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === 'string' && (/^(accept|content-type)$/.test(name) || name.startsWith('mcp-'))
      ? [[name, value] as const]
      : [],
  );
  return new Request('http://localhost/mcp', { method: 'POST', headers: Object.fromEntries(headers), body });
}
