import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KeptScan, ScannerState, ScanResult } from '../../../src/sandbox/codereadr/api.js';
import { gs } from '../../../src/sandbox/codereadr/sample/values.js';
import { type Harness, startService } from './harness.js';

/** A real server that stands for the service's URL: what came in, what it answers. */
interface Receiver {
  readonly url: string;
  readonly posts: URLSearchParams[];
  readonly types: string[];
  answer: (response: ServerResponse, request: IncomingMessage) => void;
  close(): Promise<void>;
}

const reply = (message: string) => `<?xml version="1.0" encoding="UTF-8"?>\n<xml><message>${message}</message></xml>`;

async function startReceiver(): Promise<Receiver> {
  const receiver = { posts: [] as URLSearchParams[], types: [] as string[] };
  const server: Server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      receiver.posts.push(new URLSearchParams(Buffer.concat(parts).toString()));
      receiver.types.push(request.headers['content-type'] ?? '');
      own.answer(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own: Receiver = {
    ...receiver,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/relay/r1/very-secret`,
    answer: (response) =>
      response.writeHead(200, { 'Content-Type': 'text/xml' }).end(reply('<status>1</status><text>Welcome</text>')),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return own;
}

let h: Harness;
let receiver: Receiver;
beforeEach(async () => {
  [h, receiver] = await Promise.all([startService(), startReceiver()]);
});
afterEach(() => Promise.all([h.close(), receiver.close()]));

const who = { device_id: '571', user_id: '702' };

async function scan(service_id: string, value: string, more: Record<string, unknown> = {}): Promise<ScanResult> {
  const { status, body } = await h.json('POST', '/scanner/scan', { service_id, value, ...who, ...more });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body as ScanResult;
}

const recorded = async (value: string) => (await h.ok('scans/retrieve', { value, showProperties: '1' })).all('scan');
const setUrl = (service_id: string, more: Record<string, string> = {}) =>
  h.ok('services/update', { service_id, postback_url: receiver.url, ...more });
const kept = async (device_id = '571') =>
  ((await h.json('GET', `/scanner/kept?device_id=${device_id}`)).body as { kept: KeptScan[] }).kept;
const upload = async (device_id = '571') =>
  ((await h.json('POST', '/scanner/upload', { device_id })).body as { results: ScanResult[] }).results;

describe('the scanner’s services and samples', () => {
  it('the scanner of the demo offers services with samples and questions, and hides the URL’s secret', async () => {
    await setUrl('1206');
    const state = (await h.json('GET', '/scanner/state')).body as ScannerState;
    expect(state.services.map((service) => service.direct)).toEqual([false, false, false, false, false, false, true]);
    expect(state.services.every((service) => service.samples.length > 2)).toBe(true);
    expect(state.services[0]?.questions[0]?.options).toEqual(['Yes', 'No', 'Had one already']);
    expect(state.services[5]?.postback_url).toMatch(/\/relay\/r1\/…$/);
    expect(JSON.stringify(state)).not.toContain('very-secret');
    expect(state.api_key).toBe(h.service.keys.demo);
  });

  it('the scanner of the demo offers a sample for each result of a ticket', async () => {
    const state = (await h.json('GET', '/scanner/state')).body as ScannerState;
    const kinds: Record<string, string> = {};
    for (const { value, hint } of state.services[0]?.samples ?? []) {
      kinds[hint.split(':')[0] ?? ''] = (await scan('1201', value)).shown.kind;
    }
    expect(kinds).toMatchObject({
      valid: 'valid',
      'scanned before': 'invalid',
      'not valid': 'invalid',
      unknown: 'invalid',
    });
  });
});

describe('a database service', () => {
  it('a database service decides by its database, and stores value, result and properties', async () => {
    const value = 'crew-test 01';
    await h.ok('databases/addvalue', { database_id: '1021', value, response: 'Come in', trim_value: '0' });
    const result = await scan('1201', value, { properties: { note: 'a&b' } });
    expect(result.shown).toMatchObject({ kind: 'valid', text: 'Come in' });
    expect(result.posted).toBeUndefined();
    const [record] = await recorded(value);
    expect(record?.attributes.id).toBe(result.scan_id);
    expect(record?.get('result')?.text).toBe('Come in');
    expect(record?.get('properties')?.get('note')?.text).toBe('a&b');
    expect(record?.get('properties')?.get('gps_location')?.text).toMatch(/^43/);
  });

  it('a database service that allows no duplicates refuses a second scan of a value', async () => {
    const value = 'HLF-000900X';
    await h.ok('databases/addvalue', { database_id: '1021', value, response: 'Adult' });
    expect((await scan('1201', value)).shown.kind).toBe('valid');
    expect((await scan('1201', value)).shown).toMatchObject({ kind: 'invalid', text: 'Already scanned' });
  });

  it('a database service refuses scans of unauthorized users', async () => {
    const result = await scan('1201', 'HLF-000001', { user_id: '704' });
    expect(result.shown).toMatchObject({ kind: 'invalid', title: 'Not allowed' });
    expect(result.scan_id).toBeUndefined();
  });

  it('a database service asks the question for valid scans, and stores the answer with the scan', async () => {
    await h.ok('databases/addvalue', { database_id: '1021', value: 'Q1', response: 'Adult' });
    const result = await scan('1201', 'Q1');
    expect(result.asks?.questions[0]?.text).toBe('Wristband handed out?');
    const answered = await h.json('POST', '/scanner/answer', {
      pending_id: result.asks?.pending_id,
      answers: { '381': 'Yes' },
    });
    expect(answered.status).toBe(200);
    expect((await recorded('Q1'))[0]?.get('answer')?.text).toBe('Yes');
    expect((await h.json('POST', '/scanner/answer', { pending_id: result.asks?.pending_id, answers: {} })).status).toBe(
      404,
    );
  });

  it('a database service posts its result to its URL, whose response decides unless the URL only receives', async () => {
    receiver.answer = (response) => response.end(reply('<status>0</status><text>Not today</text>'));
    await setUrl('1204', { postback_real_time_scans: '1' });
    const judged = await scan('1204', '1e5', { user_id: '704' });
    expect(judged.shown).toMatchObject({ kind: 'invalid', text: 'Not today' });
    expect(receiver.posts[0]?.get('status')).toBe('1');
    expect(receiver.posts[0]?.get('text')).toContain('Bin A-01');
    expect((await recorded('1e5')).at(-1)?.get('result')?.text).toBe('Not today');
    await setUrl('1204', { postback_receiver_only: '1' });
    expect((await scan('1204', 'true', { user_id: '704' })).shown.kind).toBe('valid');
  });
});

describe('services that only record', () => {
  it('a recording service stores the scan with the user’s answers', async () => {
    const result = await scan('1203', ' 00 1 ', { user_id: '704', answers: { '382': '7', '384': 'ok' } });
    expect(result.shown).toMatchObject({ kind: 'recorded', title: 'Saved' });
    expect((await recorded(' 00 1 '))[0]?.all('answer').map((answer) => answer.text)).toEqual(['7', 'ok']);
  });

  it('a web view service shows its page', async () => {
    const made = await h.ok('services/create', { validation_method: 'webview', description: '<html><b>Hi</b></html>' });
    const service = made.get('id')?.text ?? '';
    await h.ok('services/adduserpermission', { service_id: service, user_id: '702' });
    expect((await scan(service, 'W')).shown).toMatchObject({
      kind: 'recorded',
      as: 'page',
      text: '<html><b>Hi</b></html>',
    });
  });
});

describe('a postback service', () => {
  it('a postback service posts the contract’s form, and shows and stores the response', async () => {
    await setUrl('1206');
    const value = ` A&B <1> ${gs}Ω`;
    const result = await scan('1206', value, { answers: { '384': 'wet & torn' }, scanned_at: '2025-01-15 12:00:00' });
    expect(result.shown).toEqual({ kind: 'valid', title: 'Valid', text: 'Welcome', as: 'text' });
    expect(receiver.types[0]).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(receiver.posts[0] ?? [])).toEqual({
      tid: value,
      sid: '1206',
      userid: '702',
      udid: 'a3f1c09e7d2b4c5f8e6a1b2c3d4e5f60a1b2c3d4',
      scanid: result.scan_id,
      scanned_at_utc: '2025-01-15 12:00:00',
      received_at_utc: '2025-06-14 18:30:00',
      timestamp: '2025-01-15 07:00:00',
      'questions[384]': 'Notes',
      'answers[384]': 'wet & torn',
      capture_type: 'camera scan',
      time_zone: 'America/New_York',
    });
    const [record] = await recorded(value);
    expect([record?.get('status')?.text, record?.get('result')?.text]).toEqual(['1', 'Welcome']);
  });

  it('a postback service’s result shows the URL without its secret, and the response’s status and text', async () => {
    await setUrl('1206');
    const result = await scan('1206', 'X');
    expect(result.posted?.url).toBe(receiver.url.replace('very-secret', '…'));
    expect(result.posted?.http_status).toBe(200);
    expect(result.posted?.body).toContain('Welcome');
  });

  it.each([
    ['an empty 404', 404, ''],
    ['an HTML page', 200, '<html><body>Hello</body></html>'],
    ['a document without status', 200, '<xml><message><text>hi</text></message></xml>'],
    ['a document that is cut off', 200, '<xml><message><status>1</status><te'],
    [
      'a DOCTYPE',
      200,
      '<!DOCTYPE xml [<!ENTITY a "b">]><xml><message><status>1</status><text>&a;</text></message></xml>',
    ],
  ])('a postback service treats %s as no response', async (_, status, body) => {
    await setUrl('1206');
    receiver.answer = (response) => response.writeHead(status).end(body);
    const result = await scan('1206', 'X');
    expect(result.shown).toMatchObject({ kind: 'invalid', text: 'No answer from the postback URL' });
    expect(result.posted?.http_status).toBe(status);
    expect((await recorded('X'))[0]?.get('status')?.text).toBe('0');
  });

  it('a postback service takes a response of 10,000 bytes, and shows a longer response as not valid', async () => {
    await setUrl('1206');
    const fitting = (length: number) => {
      const frame = reply('<status>1</status><text></text>');
      return frame.replace('<text>', `<text>${'x'.repeat(length - frame.length)}`);
    };
    receiver.answer = (response) => response.end(fitting(10_000));
    expect((await scan('1206', 'X')).shown.kind).toBe('valid');
    receiver.answer = (response) => response.end(fitting(10_001));
    expect((await scan('1206', 'X')).shown.kind).toBe('invalid');
  });

  it('a postback service reports a timeout when its URL does not respond', async () => {
    await setUrl('1206');
    receiver.answer = () => {};
    const result = await scan('1206', 'X');
    expect(result.posted?.error).toBe('timeout');
  });

  it.each([
    ['&lt;html&gt;&lt;b&gt;hi&lt;/b&gt;&lt;/html&gt;', '<html><b>hi</b></html>', 'page'],
    ['<![CDATA[<html><b>hi</b></html>]]>', '<html><b>hi</b></html>', 'page'],
    ['<![CDATA[<html lang="en">hi</html>]]>', '<html lang="en">hi</html>', 'text'],
    ['&lt;curl&gt;https://example.com/?a=1&amp;amp;b=2&lt;/curl&gt;', 'https://example.com/?a=1&amp;b=2', 'address'],
    ['5 &gt; 3 &#38; true', '5 > 3 & true', 'text'],
  ])('a postback service’s response %s is shown as %s', async (sent, text, as) => {
    await setUrl('1206');
    receiver.answer = (response) => response.end(reply(`<status>0</status><text>${sent}</text>`));
    expect((await scan('1206', 'X')).shown).toMatchObject({ kind: 'invalid', text, as });
  });

  it('a postback service asks the response’s questions, and posts the answers in a second submit', async () => {
    await setUrl('1206');
    receiver.answer = (response) =>
      response.end(
        reply(
          '<status>1</status><text>Hi</text><question id="77" type="option" condition="post_submit"><text>Seat?</text><answer id="1">Left</answer></question>',
        ),
      );
    const result = await scan('1206', 'X');
    expect(result.asks?.questions).toEqual([{ id: '77', text: 'Seat?', type: 'option', options: ['Left'] }]);
    await h.json('POST', '/scanner/answer', { pending_id: result.asks?.pending_id, answers: { '77': 'Left' } });
    expect(receiver.posts.length).toBe(2);
    expect(receiver.posts[1]?.get('answers[77]')).toBe('Left');
    expect(receiver.posts[1]?.get('questions[77]')).toBe('Seat?');
    expect(receiver.posts[1]?.get('scanid')).toBe(result.scan_id);
  });

  it('a postback service rewrites scan and response by its regular expressions', async () => {
    await setUrl('1206', {
      regex_scan_pattern: '^0+',
      regex_scan_replacement: '',
      regex_response_pattern: 'Wel(.*)',
      regex_response_replacement: 'Fare-wel$1',
    });
    const result = await scan('1206', '000123');
    expect(receiver.posts[0]?.get('tid')).toBe('123');
    expect(result.shown.text).toBe('Fare-welcome');
  });

  it('a postback service sends its own properties with a scan', async () => {
    await setUrl('1206', { scan_properties: '{"shared_secret":"s3","site":"Pier 4"}' });
    await scan('1206', 'X');
    expect(receiver.posts[0]?.get('shared_secret')).toBe('s3');
    expect(receiver.posts[0]?.get('site')).toBe('Pier 4');
  });
});

describe('a direct service', () => {
  it('a direct service posts a scan from the device without a scan ID, and the account stores no scan', async () => {
    await setUrl('1207');
    const result = await scan('1207', '000123', { scanned_at: '2025-06-14 18:00:00' });
    expect(result.shown.kind).toBe('valid');
    expect(result.scan_id).toBeUndefined();
    expect(Object.fromEntries(receiver.posts[0] ?? [])).toEqual({
      tid: '000123',
      sid: '1207',
      userid: '702',
      udid: 'a3f1c09e7d2b4c5f8e6a1b2c3d4e5f60a1b2c3d4',
      scanned_at_utc: '2025-06-14 18:00:00',
      device_timestamp: '2025-06-14 14:00:00',
      capture_type: 'camera scan',
      time_zone: 'America/New_York',
      gps_location: '43.655800,-70.250500',
    });
    expect(await recorded('000123')).toEqual([]);
  });

  it('a direct service’s device keeps a scan without an XML response, and later posts the same form', async () => {
    await setUrl('1207');
    receiver.answer = (response) => response.writeHead(503).end();
    expect((await scan('1207', 'A')).shown.kind).toBe('kept');
    receiver.answer = (response) => response.writeHead(200).end('OK');
    expect((await scan('1207', 'B')).shown.kind).toBe('kept');
    expect((await kept()).map((one) => [one.value, one.why])).toEqual([
      ['A', 'no_answer'],
      ['B', 'no_answer'],
    ]);
    expect((await upload()).map((one) => one.shown.kind)).toEqual(['kept', 'kept']);
    expect((await kept()).map((one) => one.value)).toEqual(['A', 'B']);
    receiver.answer = (response) => response.end(reply('<status>0</status><text>No</text>'));
    h.clock.set(h.clock.now() + 3_600_000);
    expect((await upload()).map((one) => one.shown.kind)).toEqual(['invalid', 'invalid']);
    expect(await kept()).toEqual([]);
    expect(String(receiver.posts[4])).toBe(String(receiver.posts[0]));
  });

  it('a direct service’s device sends kept scans once the URL responds again, if auto sync is on', async () => {
    for (const [auto_sync, left] of [
      ['0', ['A']],
      ['1', []],
    ] as const) {
      await setUrl('1207', { auto_sync });
      receiver.answer = (response) => response.writeHead(503).end();
      expect((await scan('1207', 'A')).shown.kind).toBe('kept');
      receiver.answer = (response) => response.end(reply('<status>1</status><text>Yes</text>'));
      expect((await scan('1207', 'B')).shown.kind).toBe('valid');
      expect((await kept()).map((one) => one.value)).toEqual(left);
      await upload();
    }
    await setUrl('1207', { auto_sync: '0' });
  });

  it('a direct service’s device keeps a scan whose response was lost, and uploads the same form again', async () => {
    await setUrl('1207');
    await h.json('POST', '/scanner/faults', { lost_answers: 1 });
    expect((await scan('1207', 'A')).shown.kind).toBe('kept');
    expect(receiver.posts.length).toBe(1);
    expect((await upload()).map((one) => one.shown.kind)).toEqual(['valid']);
    expect(String(receiver.posts[1])).toBe(String(receiver.posts[0]));
  });

  it('a direct service’s device keeps a scan when the URL is unreachable', async () => {
    const result = await scan('1207', 'A');
    expect(result.shown.kind).toBe('kept');
    expect(result.posted?.error).toBeTruthy();
  });

  it('a direct service sends a second submit with the scan ID of the response', async () => {
    await setUrl('1207');
    receiver.answer = (response) => response.end(reply('<status>1</status><text>Hi</text><scanid>abc-9</scanid>'));
    await scan('1207', 'A');
    expect(receiver.posts.map((post) => post.get('scanid'))).toEqual([null, 'abc-9']);
    expect(receiver.posts[1]?.get('scanned_at_utc')).toBe(receiver.posts[0]?.get('scanned_at_utc'));
  });
});

describe('an on-device service', () => {
  const device = { device_id: '572', user_id: '703' };

  it('an on-device service decides on the device, and its scans reach the account with the upload', async () => {
    const value = 'HLF-000001';
    const before = (await recorded(value)).length;
    expect((await scan('1202', value, device)).shown.kind).toMatch(/^(valid|invalid)$/);
    expect((await recorded(value)).length).toBe(before);
    expect((await kept('572')).map((one) => one.why)).toEqual(['not_uploaded']);
    h.clock.set(h.clock.now() + 7_200_000);
    expect((await upload('572')).length).toBe(1);
    const [newest] = (await h.ok('scans/retrieve', { value, order_by: 'scan_id_desc', timestamp_received: '2' })).all(
      'scan',
    );
    expect(newest?.get('timestamp')?.text).toBe('2025-06-14 14:30:00');
    expect(newest?.get('timestamp_received')?.text).toBe('2025-06-14 16:30:00');
    const uploads = (await h.ok('uploads/retrieve', { device_id: '572' })).all('upload');
    expect(uploads.at(-1)?.attributes).toMatchObject({ service_id: '1202', user_id: '703', count: '1' });
  });

  it('an on-device service posts a scan with its result to its URL only once the device uploads', async () => {
    await setUrl('1202', { postback_uploaded_scans: '1' });
    await scan('1202', 'NOPE', device);
    expect(receiver.posts.length).toBe(0);
    await upload('572');
    expect([receiver.posts[0]?.get('status'), receiver.posts[0]?.get('text')]).toEqual(['0', 'Not found']);
  });

  it('an on-device service syncs a scan to its sync URL, whose response does not change the result', async () => {
    await h.ok('services/update', { service_id: '1202', auto_sync: '1', auto_sync_up_url: receiver.url });
    const result = await scan('1202', 'NOPE', device);
    expect(result.shown).toMatchObject({ kind: 'invalid', text: 'Not found' });
    expect(receiver.posts[0]?.get('status')).toBe('0');
    expect(await kept('572')).toEqual([]);
    expect(await recorded('NOPE')).toEqual([]);
  });
});

describe('the scanner’s own refusals', () => {
  it.each([
    [{ service_id: '1', value: 'X', ...who }, 404],
    [{ service_id: '1201', value: 'X', ...who, device_id: '1' }, 404],
    [{ service_id: '1201', value: '', ...who }, 400],
    [{ service_id: '1201', value: 'a\0b', ...who }, 400],
    [{ service_id: 1201, value: 'X', ...who }, 400],
    [{ service_id: '1201', value: 'X', ...who, properties: { tid: 'Y' } }, 400],
    [{ service_id: '1201', value: 'X', ...who, scanned_at: 'now' }, 400],
    ['[', 400],
  ])('the scanner of the demo refuses %j with a reason', async (body, status) => {
    const answer = await h.json('POST', '/scanner/scan', body);
    expect(answer.status).toBe(status);
    expect((answer.body as { why: string }).why).toBeTruthy();
  });

  it('the scanner of the demo refuses scans without their required answers', async () => {
    await h.ok('services/addquestion', { service_id: '1204', question_id: '383', required: '383' });
    const answer = await h.json('POST', '/scanner/scan', { service_id: '1204', value: 'X', ...who, user_id: '704' });
    expect([answer.status, (answer.body as { error: string }).error]).toEqual([422, 'answers_missing']);
  });

  it('the scanner of the demo responds 404 to an unknown path, and to a GET of its scan path', async () => {
    expect((await h.json('GET', '/scanner/nothing')).status).toBe(404);
    expect((await h.json('GET', '/scanner/scan')).status).toBe(404);
  });
});

it('the scanner of the demo keeps a device’s unsent scans over a restart', async () => {
  const { mkdtempSync, rmSync } = await import('node:fs');
  const { tmpdir } = await import('node:os');
  const { join } = await import('node:path');
  const folder = mkdtempSync(join(tmpdir(), 'scanner-'));
  const file = join(folder, 'account.db');
  const first = await startService({ file });
  await first.json('POST', '/scanner/scan', { service_id: '1207', value: 'A', ...who });
  await first.close();
  const second = await startService({ file });
  const { body } = await second.json('GET', '/scanner/kept?device_id=571');
  expect((body as { kept: KeptScan[] }).kept.map((one) => one.value)).toEqual(['A']);
  expect((await second.ok('scans/retrieve')).all('scan').length).toBe(500);
  await second.close();
  rmSync(folder, { recursive: true });
});
