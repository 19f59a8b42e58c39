import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../slack/connected.js';
import { startTestApp, type TestApp } from '../slack/test-app.js';
import { signature, signed, slackbotFor } from './slackbot-client.js';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp({ settings: { MCP: 'on' } });
  await connect(testApp.person('U0ADA'));
});
afterAll(() => testApp.stop());

interface Sent {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const now = () => Math.floor(Date.now() / 1_000);
const secret = () => testApp.signingSecret;
const ada = { user_id: 'U0ADA', team_id: 'T0SANDBOX1' };
const known = '0012345';

function message(method: string, params?: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) });
}

function call(slack: unknown, more: Record<string, unknown> = {}): string {
  const meta = slack === undefined ? {} : { _meta: { slack } };
  return message('tools/call', { name: 'look_up_barcodes', arguments: { barcodes: [known] }, ...meta, ...more });
}

const adas = call(ada);

/** Node's own client: fetch would correct some of these requests. */
function send({ method = 'POST', body = adas, headers = {} }: Sent): Promise<{ status: number; text: string }> {
  const url = new URL(`${testApp.appUrl}/mcp`);
  return new Promise((done, fail) => {
    const sent = request(
      url,
      { method, headers: { 'content-length': Buffer.byteLength(body), ...headers } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        answer.on('end', () => done({ status: answer.statusCode ?? 0, text }));
      },
    );
    sent.on('error', fail);
    sent.end(body);
  });
}

const plainHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const withHeaders = (more: Readonly<Record<string, string>>, body = adas): Sent => ({
  body,
  headers: { ...signed(secret(), body), ...more },
});
const at = (seconds: number | string, body = adas): Sent => ({ body, headers: signed(secret(), body, seconds) });
const properly = (body: string): Sent => ({ body, headers: signed(secret(), body) });

const unsigned: readonly (readonly [string, () => Sent])[] = [
  ['a call without any signature', () => ({ headers: plainHeaders })],
  ['initialize without a signature', () => ({ body: message('initialize', {}), headers: plainHeaders })],
  ['the list of tools without a signature', () => ({ body: message('tools/list'), headers: plainHeaders })],
  ['a ping without a signature', () => ({ body: message('ping'), headers: plainHeaders })],
  ['a notification without a signature', () => ({ body: message('notifications/initialized'), headers: plainHeaders })],
  [
    'a signature without a timestamp',
    () => ({ headers: { ...plainHeaders, 'x-slack-signature': signature(secret(), now(), adas) } }),
  ],
  [
    'a timestamp without a signature',
    () => ({ headers: { ...plainHeaders, 'x-slack-request-timestamp': String(now()) } }),
  ],
  ['an empty signature', () => withHeaders({ 'x-slack-signature': '' })],
  ['a signature without its hash', () => withHeaders({ 'x-slack-signature': 'v0=' })],
  [
    'a signature of another version',
    () => withHeaders({ 'x-slack-signature': signature(secret(), now(), adas).replace('v0', 'v1') }),
  ],
  [
    'a signature cut by a letter',
    () => withHeaders({ 'x-slack-signature': signature(secret(), now(), adas).slice(0, -1) }),
  ],
  [
    'a signature with a letter more',
    () => withHeaders({ 'x-slack-signature': `${signature(secret(), now(), adas)}0` }),
  ],
  [
    'a signature in capitals',
    () => withHeaders({ 'x-slack-signature': signature(secret(), now(), adas).toUpperCase() }),
  ],
  ['two signatures', () => withHeaders({ 'x-slack-signature': `v0=0, ${signature(secret(), now(), adas)}` })],
  ['the secret of another app', () => ({ headers: signed('another-app', adas) })],
  ['an empty secret', () => ({ headers: signed('', adas) })],
  ['the signature of another body', () => ({ body: adas, headers: signed(secret(), message('tools/list')) })],
  [
    'a body changed by one character',
    () => ({ body: adas.replace('U0ADA', 'U0MIA'), headers: signed(secret(), adas) }),
  ],
  ['a body with a space more', () => ({ body: `${adas} `, headers: signed(secret(), adas) })],
  ['a timestamp changed after signing', () => withHeaders({ 'x-slack-request-timestamp': String(now() - 1_000) })],
  ['a request that is 301 seconds old', () => at(now() - 301)],
  ['a request of a year ago', () => at(now() - 31_536_000)],
  ['a request of 1970', () => at(0)],
  ['a request from 310 seconds ahead', () => at(now() + 310)],
  ['a request from a year ahead', () => at(now() + 31_536_000)],
  ['a negative timestamp', () => at(-now())],
  ['a timestamp that is a word', () => at('now')],
  ['a timestamp with a fraction', () => at(`${now()}.5`)],
  ['a timestamp in hexadecimal', () => at(`0x${now().toString(16)}`)],
  ['an empty timestamp', () => at('')],
  [
    'Slack’s unsigned check of the certificate',
    () => ({ body: 'ssl_check=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  ],
];

const elsewhere: readonly (readonly [string, string])[] = [
  ['no identity', call(undefined)],
  ['an empty identity', call({})],
  ['an identity that is null', call(null)],
  ['an identity that is a list', call([ada])],
  ['no person', call({ team_id: ada.team_id })],
  ['no workspace', call({ user_id: ada.user_id })],
  ['a person that is a number', call({ ...ada, user_id: 7 })],
  ['an empty person', call({ ...ada, user_id: '' })],
  ['a person with another workspace behind a colon', call({ ...ada, user_id: 'U0ADA:T0SANDBOX2' })],
  ['a bot in place of a person', call({ ...ada, user_id: 'B0SCANDESK1' })],
  ['a workspace in small letters', call({ ...ada, team_id: 't0sandbox1' })],
  ['a workspace with a path', call({ ...ada, team_id: 'T0SANDBOX1/../T0SANDBOX2' })],
  ['an organization in place of a workspace', call({ ...ada, team_id: 'E0ORG' })],
  ['several workspaces', call({ ...ada, team_id: ['T0SANDBOX1'] })],
  ['a workspace that has not installed Scandesk', call({ ...ada, team_id: 'T0SANDBOX2' })],
  ['a partner’s workspace', call({ user_id: 'U0EVE', team_id: 'T0PARTNER1' })],
  ['a workspace that does not exist', call({ ...ada, team_id: 'T0NOWHERE' })],
  [
    'another workspace in an unknown organization',
    call({ user_id: 'U0BO', team_id: 'T0SANDBOX2', enterprise_id: 'E0ORG' }),
  ],
  ['an organization that is no id', call({ ...ada, enterprise_id: 'T0SANDBOX1' })],
  ['an identity among the arguments', call(undefined, { arguments: { barcodes: [known], _meta: { slack: ada } } })],
  ['an identity beside the parameters', JSON.stringify({ ...JSON.parse(call(undefined)), _meta: { slack: ada } })],
];

const persons: readonly (readonly [string, Record<string, string>])[] = [
  ['a guest', { ...ada, user_id: 'U0GUS' }],
  ['a person of another organization', { ...ada, user_id: 'U0EVE' }],
  ['Slackbot itself', { ...ada, user_id: 'USLACKBOT' }],
  ['the app’s own bot', { ...ada, user_id: 'U0SCANDESK1' }],
  ['a person of another workspace', { ...ada, user_id: 'U0BO' }],
  ['a person who does not exist', { ...ada, user_id: 'U0NOBODY' }],
];

describe('requests to /mcp that are refused', () => {
  it.each(unsigned)('a request to /mcp is refused as not signed by Slack: %s', async (_, sent) => {
    expect(await send(sent())).toEqual({
      status: 401,
      text: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"The request is not signed by Slack."}}',
    });
  });

  it.each(elsewhere)('a call to /mcp with %s is refused as a call for nobody that Scandesk serves', async (_, body) => {
    expect(await send(properly(body))).toEqual({
      status: 403,
      text: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"The call is for nobody that Scandesk serves."}}',
    });
  });

  it.each([
    ['GET', 405, () => ({ method: 'GET', body: '' })],
    ['DELETE', 405, () => ({ method: 'DELETE', body: '' })],
    ['PUT', 405, () => ({ ...properly(adas), method: 'PUT' })],
    ['OPTIONS', 405, () => ({ method: 'OPTIONS', body: '' })],
    ['a signed body of 65 KB', 413, () => properly(JSON.stringify({ text: 'x'.repeat(65 * 1_024) }))],
    ['an unsigned body of 65 KB', 413, () => ({ body: 'x'.repeat(65 * 1_024), headers: plainHeaders })],
    ['a signed body that is no JSON', 400, () => properly('{"jsonrpc":')],
    ['an empty signed body', 400, () => properly('')],
    ['a signed null', 400, () => properly('null')],
    ['a signed number', 400, () => properly('7')],
    ['a signed text', 400, () => properly('"tools/list"')],
    ['a signed batch of calls', 400, () => properly(`[${adas}]`)],
    ['a signed object that is no message', 400, () => properly('{}')],
    ['a signed form', 415, () => withHeaders({ 'content-type': 'application/x-www-form-urlencoded' })],
    ['a client that takes no event stream', 406, () => withHeaders({ accept: 'text/html' })],
  ] as const)('a request to /mcp is refused by its HTTP status: %s, %i', async (_, status, sent) => {
    const answer = await send(sent());
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain(known);
  });

  it.each(persons)('a call to /mcp by %s is refused in the same words for every barcode and tool', async (_, slack) => {
    const slackbot = await slackbotFor(testApp);
    try {
      const [one, other, figures] = await Promise.all([
        slackbot.call('look_up_barcodes', { barcodes: [known] }, slack),
        slackbot.call('look_up_barcodes', { barcodes: ['no-such-barcode'] }, slack),
        slackbot.call('todays_figures', {}, slack),
      ]);
      expect(one).toMatchObject({ isError: true, data: undefined });
      expect(plain(one)).toEqual(plain(other));
      expect(plain(one)).toEqual(plain(figures));
      expect(JSON.stringify(one)).not.toContain(known);
    } finally {
      await slackbot.close();
    }
  });

  it('the list of tools at /mcp is the same with and without a person, and names no person or database', async () => {
    const listed = async (params: unknown) => (await send(properly(message('tools/list', params)))).text;
    const plainly = await listed({});
    expect(await listed({ _meta: { slack: ada } })).toBe(plainly);
    expect(await listed({ _meta: { slack: { user_id: 'U0EVE', team_id: 'T0PARTNER1' } } })).toBe(plainly);
    expect(plainly).not.toMatch(/Harbour|Stock room|U0ADA/);
  });

  it('a request to /mcp signed with another app’s secret is refused, and leaves no secret in the log', async () => {
    // `stop` looks for secrets in everything that was logged.
    expect((await send({ headers: signed('another-app', adas) })).status).toBe(401);
  });
});

it('the path /mcp answers 404 unless the setting MCP is on', async () => {
  const without = await startTestApp();
  try {
    expect((await fetch(`${without.appUrl}/mcp`, { method: 'POST', body: adas })).status).toBe(404);
  } finally {
    await without.stop();
  }
});

/** The answer without its reference, which differs each time. */
function plain(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer).replaceAll(/Reference [A-Z0-9]+/g, 'Reference'));
}
