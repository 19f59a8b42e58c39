/** Files on their way from Slack: in pieces, with the token shown to Slack alone, and no further than their limit. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebClient } from '@slack/web-api';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.js';
import type { FormFile } from '../../../src/slack/forms/view-state.js';
import {
  type FileSource,
  inMegabytes,
  isSlacks,
  openFile,
  readText,
} from '../../../src/slack/operations/files/files.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer({ keepAliveTimeout: 65_000 }, answer);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const source = (slack: string): FileSource => ({
  client: new WebClient('xoxb-canary-file-token', { slackApiUrl: `${slack}/api/`, retryConfig: { retries: 0 } }),
  config: { SLACK_API_URL: `${slack}/api/` },
  clock: systemClock,
});

const file = (url: string, more: Partial<FormFile> = {}): FormFile => ({
  id: 'F1',
  name: 'values.csv',
  type: 'text/csv',
  size: 10,
  url,
  ...more,
});

async function read(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

describe('a file', () => {
  test('a file from Slack is read completely, piece by piece, with the app’s token', async () => {
    let finish = () => {};
    const asked: IncomingMessage[] = [];
    const slack = await serve((request, response) => {
      asked.push(request);
      response.writeHead(200, { 'content-type': 'text/csv' });
      response.write('first,');
      finish = () => response.end('last');
    });
    const { pieces } = await openFile(source(slack), file(`${slack}/files-pri/T1-F1/values.csv`), 100);
    const iterator = pieces[Symbol.asyncIterator]();
    expect(Buffer.from((await iterator.next()).value).toString()).toBe('first,');
    finish();
    expect(Buffer.from((await iterator.next()).value).toString()).toBe('last');
    expect((await iterator.next()).done).toBe(true);
    expect(asked[0]?.headers.authorization).toBe('Bearer xoxb-canary-file-token');
  });

  test('a file from Slack that is larger than announced is not read past its limit', async () => {
    const slack = await serve((_, response) => response.end(Buffer.alloc(3_000_000)));
    const { pieces } = await openFile(source(slack), file(`${slack}/f`), 2_000_000);
    await expect(read(pieces)).rejects.toMatchObject({
      code: 'form.file_too_large',
      message: expect.stringContaining('The limit is 2 MB'),
    });
  });

  test('a file whose URL is not at Slack is not fetched at all', async () => {
    let asked = 0;
    const elsewhere = await serve((_, response) => {
      asked += 1;
      response.end('x');
    });
    const slack = await serve((_, response) => response.end('x'));
    await expect(openFile(source(slack), file(`${elsewhere}/f`), 100)).rejects.toMatchObject({
      code: 'form.file_foreign',
    });
    expect(asked).toBe(0);
  });

  test('a file whose URL redirects outside Slack is not fetched, and is reported as unreadable', async () => {
    let asked = 0;
    const elsewhere = await serve((_, response) => {
      asked += 1;
      response.end('x');
    });
    const slack = await serve((_, response) => response.writeHead(302, { location: `${elsewhere}/f` }).end());
    await expect(openFile(source(slack), file(`${slack}/f`), 100)).rejects.toMatchObject({
      code: 'form.file_unreadable',
    });
    expect(asked).toBe(0);
  });

  test.each([
    ['a login page', 200, 'text/html; charset=utf-8'],
    ['HTTP 404', 404, 'text/plain'],
    ['HTTP 500', 500, 'text/csv'],
  ])('a file for which Slack answers %s is reported as unreadable', async (_, status, type) => {
    const slack = await serve((_request, response) =>
      response.writeHead(status, { 'content-type': type }).end('<html>'),
    );
    await expect(openFile(source(slack), file(`${slack}/f`), 100)).rejects.toMatchObject({
      code: 'form.file_unreadable',
    });
  });

  test('a file whose server closes the connection is reported as unreadable, with advice to try again', async () => {
    const slack = await serve((request) => request.socket.destroy());
    await expect(openFile(source(slack), file(`${slack}/f`), 100)).rejects.toMatchObject({
      code: 'form.file_unreadable',
      message: expect.stringContaining('Try again'),
    });
  });

  test('a file from Slack that comes without a URL is requested by its ID', async () => {
    let slack = '';
    slack = await serve((request, response) => {
      if (request.url?.startsWith('/api/files.info')) {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ ok: true, file: { id: 'F1', url_private: `${slack}/there` } }));
      } else {
        response.end(request.url);
      }
    });
    const { pieces } = await openFile(source(slack), file(''), 100);
    expect((await read(pieces)).toString()).toBe('/there');
  });

  test('an opened file that is closed ends its download', async () => {
    let letGo = () => {};
    const closed = new Promise<void>((done) => {
      letGo = done;
    });
    const slack = await serve((request, response) => {
      response.write('x');
      request.socket.on('close', () => letGo());
    });
    const opened = await openFile(source(slack), file(`${slack}/f`), 100);
    opened.close();
    await closed;
  });
});

describe('a text in a file', () => {
  test('a text file is read to the letter', async () => {
    const slack = await serve((_, response) => response.end('<html>é\r\n 😀 </html>'));
    expect(await readText(source(slack), file(`${slack}/f`))).toBe('<html>é\r\n 😀 </html>');
  });

  test('a file whose bytes are not text is refused where text is needed', async () => {
    const slack = await serve((_, response) => response.end(Buffer.from([0x80, 0xff, 0x00])));
    await expect(readText(source(slack), file(`${slack}/f`))).rejects.toMatchObject({ code: 'form.file_no_text' });
  });

  test('a text file of the type text/html is read, and not taken for a login page', async () => {
    const slack = await serve((_, response) => response.setHeader('content-type', 'text/html').end('<p>'));
    expect(await readText(source(slack), file(`${slack}/f`, { type: 'text/html', name: 'a.html' }))).toBe('<p>');
  });
});

test.each([
  ['https://files.slack.com/files-pri/T1-F1/a.csv', true],
  ['https://harbour.slack.com/files/U1/F1/a.csv', true],
  ['https://files.slack-gov.com/x', true],
  ['https://slack.com.evil.example/x', false],
  ['https://evilslack.com/x', false],
  ['http://files.slack.com/x', false],
  ['https://files.slack.com:8443/x', false],
  ['https://files.slack.com@evil.example/x', false],
  ['http://127.0.0.1:9999/files-pri/x', true],
  ['http://127.0.0.1:9998/files-pri/x', false],
  ['file:///etc/passwd', false],
  ['nothing', false],
])('the app’s token may be sent to %s: %s', (url, expected) => {
  expect(isSlacks(url, { SLACK_API_URL: 'http://127.0.0.1:9999/api/' })).toBe(expected);
});

test.each([
  [1, '1 KB'],
  [99_999, '100 KB'],
  [200_000, '0.2 MB'],
  [10_000_000, '10 MB'],
  [10_500_000, '10.5 MB'],
])('a file size of %d bytes is shown as %s', (bytes, words) => {
  expect(inMegabytes(bytes)).toBe(words);
});
