import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type AppProcess, startApp } from './helpers/app-process.js';
import { freePort } from './helpers/free-port.js';

const signingSecret = 'canary-signing';
const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const inForm = (payload: string) => `payload=${encodeURIComponent(payload)}`;
const large = 4 * 1024 * 1024;

const teamed = { team: { id: 'T0ONE' }, user: { id: 'U0ADA' }, trigger_id: '1.2.3' };
const click = { type: 'block_actions', ...teamed };
const submission = { type: 'view_submission', ...teamed };
const event = { type: 'event_callback', team_id: 'T0ONE', event_id: 'Ev1', event_time: 1 };

/** Validly signed requests that Slack would not send, each with the status of its refusal. */
const refused: readonly [what: string, type: string, body: string, status: number][] = [
  ['JSON null', json, 'null', 400],
  ['null in a form', form, 'payload=null', 400],
  ['null with spaces around it', json, ' null\n', 400],
  ['a number', json, '7', 400],
  ['a number in a form', form, 'payload=7', 400],
  ['JSON true', json, 'true', 400],
  ['a string', json, '"text"', 400],
  ['a string in a form', form, 'payload=%22text%22', 400],
  ['an array', json, '[]', 400],
  ['an array of nulls', json, '[null,null]', 400],
  ['an array in a form', form, inForm('[{"type":"block_actions"}]'), 400],
  ['an empty body', json, '', 400],
  ['a payload that is empty', form, 'payload=', 400],
  ['a payload that is cut', form, inForm('{"type":'), 400],
  ['JSON that is cut', json, '{', 400],
  ['a form with a charset in its content type', `${form}; charset=utf-8`, 'command=%2Fscandesk', 400],
  ['a form without a content type', '', 'command=%2Fscandesk', 400],
  ['XML', 'text/xml', '<a/>', 400],
  ['an event that is null', json, JSON.stringify({ ...event, event: null }), 400],
  ['an event that is text', json, JSON.stringify({ ...event, event: 'message' }), 400],
  ['bytes that are no text', json, '\u0000\ufffd\u0000', 400],
  ['arrays in arrays', json, nested(100_000), 400],
  ['a string of the largest size that is read', json, `"${'x'.repeat(large - 2)}"`, 400],
  ['a string larger than is read', json, `"${'x'.repeat(large)}"`, 413],
];

/** Validly signed objects that Slack would not send: each must be answered, with whatever status. */
const answered: readonly [what: string, type: string, body: string][] = [
  ['an empty object', json, '{}'],
  ['an empty form', form, ''],
  ['two payloads', form, 'payload=null&payload=%7B%7D'],
  ['an event of no type', json, JSON.stringify({ ...event, event: {} })],
  ['an event of type null', json, JSON.stringify({ ...event, event: { type: null } })],
  ['an event in null', json, JSON.stringify({ ...event, event: { type: 'app_home_opened', user: null, view: null } })],
  ['an event with null beside it', json, JSON.stringify({ ...event, authorizations: null, event: { type: 'x' } })],
  ['an event with [null]', json, JSON.stringify({ ...event, authorizations: [null], event: { type: 'x' } })],
  ['a message with nulls', json, JSON.stringify({ ...event, event: { type: 'message', channel: null, ts: null } })],
  ['tokens revoked as null', json, JSON.stringify({ ...event, event: { type: 'tokens_revoked', tokens: null } })],
  ['a function of nothing', json, JSON.stringify({ ...event, event: { type: 'function_executed', inputs: null } })],
  ['a challenge of null', json, JSON.stringify({ type: 'url_verification', challenge: null })],
  ['a challenge that is an object', json, JSON.stringify({ type: 'url_verification', challenge: { a: [] } })],
  ['a click on nothing', form, inForm(JSON.stringify(click))],
  ['a click on null', form, inForm(JSON.stringify({ ...click, actions: null }))],
  ['a click on no actions', form, inForm(JSON.stringify({ ...click, actions: [] }))],
  ['a click on [null]', form, inForm(JSON.stringify({ ...click, actions: [null] }))],
  ['a click on numbers', form, inForm(JSON.stringify({ ...click, actions: [{ action_id: 7, block_id: null }] }))],
  ['a click by null', form, inForm(JSON.stringify({ type: 'block_actions', user: null, team: null, actions: [{}] }))],
  ['a submission of nothing', form, inForm(JSON.stringify(submission))],
  ['a submission of null', form, inForm(JSON.stringify({ ...submission, view: null }))],
  ['a view of null', form, inForm(JSON.stringify({ ...submission, view: { callback_id: null, state: null } }))],
  ['a view of no state', form, inForm(JSON.stringify({ ...submission, view: { callback_id: 'connect' } }))],
  ['a view that was closed', form, inForm(JSON.stringify({ ...submission, type: 'view_closed', view: null }))],
  ['a shortcut of null', form, inForm(JSON.stringify({ ...teamed, type: 'shortcut', callback_id: null }))],
  ['a global shortcut', form, inForm(JSON.stringify({ ...teamed, type: 'shortcut', callback_id: 'scans.search' }))],
  ['a message shortcut', form, inForm(JSON.stringify({ type: 'message_action', callback_id: 'x', message: null }))],
  ['options for null', form, inForm(JSON.stringify({ ...teamed, type: 'block_suggestion', action_id: null }))],
  ['a type that is an object', form, inForm(JSON.stringify({ type: { type: 'block_actions' } }))],
  ['a command of no one', form, 'command=%2Fscandesk'],
  ['two commands', form, 'command=%2Fscandesk&command=%2Fbarcode&team_id=T0ONE&user_id=U0ADA'],
  ['two texts', form, 'command=%2Fbarcode&text=a&text=b&team_id=T0ONE&user_id=U0ADA&channel_id=C0ONE'],
  ['a response_url that is none', form, 'command=%2Fbarcode&text=a&team_id=T0ONE&user_id=U0ADA&response_url=null'],
  ['__proto__', json, '{"__proto__":{"type":"event_callback"},"constructor":null}'],
  ['an object in 100,000 objects', json, `${'{"event":'.repeat(100_000)}null${'}'.repeat(100_000)}`],
];

/** Requests that are no HTTP, or hardly. */
const wires: readonly [what: string, bytes: string][] = [
  ['no HTTP', '\0\0nonsense\r\n\r\n'],
  ['a target that is no path', 'POST http://[ HTTP/1.1\r\nhost: x\r\n\r\n'],
  ['an empty host', 'GET // HTTP/1.1\r\nhost: \r\n\r\n'],
  ['a broken percent sign', 'POST /relay/%/% HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n'],
  ['a broken percent sign for Slack', 'POST /slack/%c0 HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n'],
  ['a page’s path that is not UTF-8', 'GET /pages/%E0%A4%A/x?udid=%00 HTTP/1.1\r\nhost: x\r\n\r\n'],
  [
    'an upgrade to WebSocket',
    'GET /slack/events HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
  ],
  ['a CONNECT for a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n'],
  ['an unknown Expect header', 'POST /slack/events HTTP/1.1\r\nhost: x\r\nexpect: tea\r\ncontent-length: 1\r\n\r\nx'],
  ['a body shorter than its content-length', 'POST /slack/events HTTP/1.1\r\nhost: x\r\ncontent-length: 500\r\n\r\nx'],
  ['a malformed chunk', 'POST /slack/events HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
  [
    'two content-length headers',
    'POST /slack/events HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx',
  ],
];

describe('nothing that arrives by HTTP ends the process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-hostile-'));
  let app: AppProcess;
  let port: number;
  let printed = '';

  beforeAll(async () => {
    port = await freePort();
    app = startApp(
      {
        PUBLIC_URL: 'http://127.0.0.1',
        HOST: '127.0.0.1',
        PORT: String(port),
        DATABASE_URL: `file:${join(folder, 'scandesk.db')}`,
        SCANDESK_SECRET: Buffer.alloc(32, 9).toString('base64'),
        SLACK_SIGNING_SECRET: signingSecret,
        SLACK_BOT_TOKEN: 'xoxb-canary',
        SLACK_API_URL: 'http://127.0.0.1:9/api/',
      },
      {
        print: (text) => {
          printed += text;
        },
      },
    );
    await app.listening;
  });
  afterAll(async () => {
    await app.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  const post = (type: string, body: string, headers: Record<string, string> = {}) => {
    const at = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', signingSecret).update(`v0:${at}:${body}`).digest('hex');
    return fetch(`http://127.0.0.1:${port}/slack/events`, {
      method: 'POST',
      headers: {
        'content-type': type,
        'x-slack-request-timestamp': String(at),
        'x-slack-signature': `v0=${signature}`,
        ...headers,
      },
      body,
    });
  };

  async function expectAlive(): Promise<void> {
    expect(app.hasEnded, printed.slice(-2_000)).toBe(false);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  }

  it.each(refused)(
    'a signed request that Slack would not send is refused and does not stop the process: %s',
    async (_what, type, body, status) => {
      expect((await post(type, body)).status).toBe(status);
      await expectAlive();
    },
  );

  it('Slack’s app_rate_limited event is acknowledged within 2.5 seconds, and logged', async () => {
    const notice = { type: 'app_rate_limited', team_id: 'T0ONE', minute_rate_limited: 1_700_000_000, api_app_id: 'A1' };
    const sentAt = Date.now();
    expect((await post(json, JSON.stringify(notice))).status).toBe(200);
    expect(Date.now() - sentAt).toBeLessThan(2_500);
    await vi.waitFor(() => expect(printed).toContain('Slack holds back events'));
  });

  it('signed objects that Slack would not send are answered, and do not stop the process', async () => {
    const statuses = await Promise.all(
      answered.map(async ([what, type, body]) => [what, (await post(type, body)).status] as const),
    );
    expect(statuses.filter(([, status]) => ![200, 401, 404, 500].includes(status))).toEqual([]);
    await expectAlive();
  });

  it('a request with a malformed signature or timestamp is refused, and does not stop the process', async () => {
    const body = 'command=%2Fscandesk';
    const strange: Record<string, string>[] = [
      { 'x-slack-signature': '' },
      { 'x-slack-signature': 'v0' },
      { 'x-slack-signature': 'v0=' },
      { 'x-slack-signature': `v0=${'é'.repeat(64)}` },
      { 'x-slack-request-timestamp': 'NaN' },
      { 'x-slack-request-timestamp': '1e400' },
    ];
    for (const headers of strange) {
      expect((await post(form, body, headers)).status, JSON.stringify(headers)).toBe(401);
    }
    expect((await post(form, 'ssl_check=1', { 'x-slack-signature': 'none' })).status).toBe(200);
    await expectAlive();
  });

  it.each(wires)('a malformed or unexpected HTTP request does not stop the process: %s', async (_what, bytes) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.setTimeout(500, () => socket.destroy());
    socket.end(bytes);
    socket.resume();
    await once(socket, 'close');
    await expectAlive();
  });

  it('a sender that disconnects mid-request does not stop the process', async () => {
    for (let i = 0; i < 20; i++) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write(`POST /slack/events HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n${'x'.repeat(i)}`);
      await new Promise((done) => setTimeout(done, i));
      socket.resetAndDestroy();
    }
    await expectAlive();
  });

  it('the log names the sender of many refused requests once, and contains no signing secret or token', () => {
    const refusals = printed
      .split('\n')
      .filter((line) => line.includes('a request to /slack/events was refused'))
      .map((line) => JSON.parse(line) as { sender: string });
    // A sender that had disconnected by then has no address.
    const [first, ...more] = refusals.filter(({ sender }) => sender !== 'unknown');
    expect(first).toMatchObject({ sender: '127.0.0.1', code: 'slack.body', level: 40 });
    expect(more).toEqual([]);
    expect(refusals.length).toBeLessThanOrEqual(2);
    expect(printed).not.toContain('canary');
  });
});
