import { once } from 'node:events';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { AccountsDeps } from '../../src/codereadr/index.js';
import { databases, limits, scans } from '../../src/codereadr/operations/index.js';
import type { Accounts } from '../../src/codereadr/types.js';
import {
  handClock,
  openAccounts,
  type Seen,
  type Server,
  send,
  startServer,
  steadyRandom,
  success,
  until,
} from './helper.js';

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const thing of open.splice(0).reverse()) {
    await thing.close();
  }
});

async function serve(answer: Parameters<typeof startServer>[0]): Promise<Server> {
  const server = await startServer(answer);
  open.push(server);
  return server;
}

function accountsAt(url: string, over: Partial<AccountsDeps> = {}): Accounts {
  const accounts = openAccounts(url, { random: steadyRandom, ...over });
  open.push(accounts);
  return accounts;
}

/** A server that speaks no HTTP of its own: whatever `answer` writes goes out. */
async function serveRaw(answer: (socket: Socket) => void): Promise<{ url: string; connections: () => number }> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  });
  const address = server.address() as { port: number };
  return { url: `http://127.0.0.1:${address.port}/api/`, connections: () => connections };
}

const quick = { connectMs: 2_000, headersMs: 300, bodyMs: 300, totalMs: 20_000, uploadMs: 20_000 };

function ask(url: string, over: Partial<AccountsDeps> = {}): Promise<unknown> {
  return accountsAt(url, over).open('key').client.call(databases.showvalues, { database_id: '1', value: ' 001 ' });
}

describe('a call on the wire', () => {
  test('a call to the account is a form POST with the API key in its body and nowhere else', async () => {
    const server = await serve((_, response) => send(response, success()));
    await ask(server.url);
    const request = server.seen[0] as Seen;
    expect(request.method).toBe('POST');
    expect(request.url).toBe('/api/');
    expect(request.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect([...request.form]).toEqual([
      ['section', 'databases'],
      ['action', 'showvalues'],
      ['api_key', 'key'],
      ['database_id', '1'],
      ['value', ' 001 '],
    ]);
    expect(JSON.stringify(request.headers)).not.toContain('key"');
  });

  test('connections to the account are reused', async () => {
    const ports = new Set<number | undefined>();
    const server = await serve((_, response) => {
      ports.add(response.socket?.remotePort);
      send(response, success());
    });
    const { client } = accountsAt(server.url).open('key');
    for (let i = 0; i < 5; i += 1) {
      await client.call(databases.showvalues, { database_id: '1', value: String(i) });
    }
    expect(server.seen).toHaveLength(5);
    expect(ports.size).toBeLessThan(5);
  });

  test('the barcode generator is called at a URL of its own', async () => {
    const account = await serve((_, response) => send(response, success()));
    const generator = await serve((_, response) => void response.writeHead(200).end(Buffer.from('GIF89a')));
    const { client } = accountsAt(account.url, { generatorUrl: generator.url }).open('key');
    const { barcode } = await import('../../src/codereadr/operations/index.js');
    const picture = await client.call(barcode.generate, { value: '00 1' });
    expect(picture).toMatchObject({ format: 'gif', contentType: 'image/gif' });
    expect(account.seen).toHaveLength(0);
    expect(generator.seen[0]?.form.get('value')).toBe('00 1');
  });
});

describe('an account that misbehaves', () => {
  test('an account that refuses connections is reported as unreachable, with the call as never sent', async () => {
    const server = await startServer(() => {});
    await server.close();
    await expect(ask(server.url)).rejects.toMatchObject({ code: 'account.unreachable', neverSent: true });
  });

  test('an account that sends no headers in time is reported as slow, and not tried again', async () => {
    const server = await serve(() => {});
    await expect(ask(server.url, { timeouts: quick })).rejects.toMatchObject({ code: 'account.slow' });
    expect(server.seen).toHaveLength(1);
  });

  test('an account whose response stops half way is reported as slow', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200).write('<?xml version="1.0"?><xml>');
    });
    await expect(ask(server.url, { timeouts: quick })).rejects.toMatchObject({ code: 'account.slow' });
  });

  test('an account whose whole response takes longer than 30 seconds is reported as slow', async () => {
    const clock = handClock();
    const server = await serve((_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    });
    const answer = ask(server.url, { clock });
    const outcome = expect(answer).rejects.toMatchObject({ code: 'account.slow' });
    await until(() => server.seen.length === 1);
    await clock.advance(30_000);
    await outcome;
  });

  test('a read whose connection breaks before the answer is repeated, and succeeds', async () => {
    let calls = 0;
    const server = await serve((_, response) => {
      calls += 1;
      if (calls < 3) {
        response.socket?.resetAndDestroy();
      } else {
        send(response, success());
      }
    });
    await expect(ask(server.url)).resolves.toEqual({ values: [] });
    expect(calls).toBe(3);
  });

  test('an account whose connections always break is reported as unreachable, after three tries', async () => {
    const server = await serve((_, response) => void response.socket?.resetAndDestroy());
    await expect(ask(server.url)).rejects.toMatchObject({ code: 'account.unreachable' });
    expect(server.seen).toHaveLength(3);
  });

  test('a write whose connection breaks is never repeated', async () => {
    const server = await serve((_, response) => void response.socket?.resetAndDestroy());
    const { client } = accountsAt(server.url).open('key');
    const call = client.call(databases.addvalue, { database_id: '1', value: 'x' });
    await expect(call).rejects.toMatchObject({ code: 'account.unreachable' });
    expect(server.seen).toHaveLength(1);
  });

  test('an account whose response breaks off is reported as broken, and not tried again', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('<?xml version="1.0"?><xml>', () => {
        response.socket?.resetAndDestroy();
      });
    });
    await expect(ask(server.url)).rejects.toMatchObject({ code: 'account.broken', reason: 'cut_off' });
    expect(server.seen).toHaveLength(1);
  });

  test.each([301, 302, 303, 307, 308])('a redirect of the account (HTTP %i) is not followed', async (status) => {
    const elsewhere = await serve((_, response) => send(response, success()));
    const server = await serve((_, response) => void response.writeHead(status, { location: elsewhere.url }).end());
    await expect(ask(server.url)).rejects.toMatchObject({ code: 'account.broken', reason: 'redirect' });
    expect(elsewhere.seen).toHaveLength(0);
  });

  test.each([201, 204, 400, 401, 404, 429, 500, 502, 503])(
    'a response of the account with HTTP %i is reported as broken, whatever its body says',
    async (status) => {
      const server = await serve((_, response) => {
        response.writeHead(status, { 'content-type': 'text/xml' }).end(status === 204 ? undefined : success());
      });
      const reason = status >= 500 ? 'server_error' : 'http_status';
      await expect(ask(server.url)).rejects.toMatchObject({ code: 'account.broken', reason });
      expect(server.seen).toHaveLength(1);
    },
  );

  test('a response of the account past its size limit is aborted while it arrives', async () => {
    let sent = 0;
    const server = await serve(async (_, response) => {
      response.writeHead(200);
      const piece = Buffer.alloc(65_536, 'x');
      response.setMaxListeners(0);
      while (!response.destroyed && sent < 200_000_000) {
        sent += piece.length;
        if (!response.write(piece)) {
          await Promise.race([once(response, 'drain'), once(response, 'close')]);
        }
      }
      response.end();
    });
    await expect(ask(server.url, { maxAnswerBytes: 1_000_000 })).rejects.toMatchObject({
      code: 'account.broken',
      reason: 'too_large',
    });
    expect(sent).toBeLessThan(100_000_000);
  });

  test('an empty response of the account, and a response that is not HTTP, are reported as broken', async () => {
    const empty = await serve((_, response) => void response.writeHead(200).end());
    await expect(ask(empty.url)).rejects.toMatchObject({ code: 'account.broken', reason: 'empty' });
    const garbage = await serveRaw((socket) => socket.end('I am not a web server\r\n\r\n'));
    await expect(ask(garbage.url)).rejects.toMatchObject({ code: 'account.broken' });
    expect(garbage.connections()).toBe(1);
  });

  test('a compressed response of the account that was not requested is refused', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(success()));
    });
    await expect(ask(server.url)).rejects.toMatchObject({ code: 'account.broken', reason: 'encoding' });
    expect(server.seen[0]?.headers['accept-encoding']).toBe('identity');
  });

  test('a caller who stops waiting gets an error at once, and the read is aborted', async () => {
    let ended = false;
    const server = await serve((_, response) => {
      response.on('close', () => {
        ended = true;
      });
    });
    const stop = new AbortController();
    const call = accountsAt(server.url).open('key').client.call(scans.retrieve, {}, { signal: stop.signal });
    const outcome = expect(call).rejects.toMatchObject({ code: 'account.aborted' });
    await until(() => server.seen.length === 1);
    stop.abort();
    await outcome;
    await until(() => ended);
  });

  test('a change under way at the account is not aborted when its caller stops waiting', async () => {
    let answer = () => {};
    const server = await serve((_, response) => {
      answer = () => send(response, success());
    });
    const stop = new AbortController();
    const { client } = accountsAt(server.url).open('key');
    const call = client.call(databases.addvalue, { database_id: '1', value: 'x' }, { signal: stop.signal });
    await until(() => server.seen.length === 1);
    stop.abort();
    answer();
    await expect(call).resolves.toEqual({});
  });

  test('closing the accounts aborts calls under way and refuses new calls', async () => {
    const clock = handClock();
    const server = await serve(() => {});
    const accounts = openAccounts(server.url, { clock });
    const { client } = accounts.open('key');
    const call = expect(client.call(limits.retrieve, {})).rejects.toMatchObject({ code: 'account.aborted' });
    await until(() => server.seen.length === 1);
    const closed = accounts.close();
    await clock.advance(3_000);
    await closed;
    await call;
    await expect(client.call(limits.retrieve, {})).rejects.toMatchObject({ code: 'account.aborted' });
  });
});

describe('a file that is sent to the account', () => {
  const csv = { name: 'new "values"\n.csv', type: 'text/csv' };

  async function* pieces(count: number, size: number): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < count; i += 1) {
      yield Buffer.alloc(size, 'a');
    }
  }

  test('a file is sent to the account as multipart, with fields and name unchanged', async () => {
    const server = await serve((_, response) => send(response, success()));
    const { client } = accountsAt(server.url).open('key');
    const content = Buffer.from('00123,"Welcome\r\nback",1\n');
    await client.call(databases.upload, { database_id: '7', csvfile: { ...csv, content }, trim_value: false });
    const request = server.seen[0] as Seen;
    expect(request.headers['content-length']).toBe(String(request.body.byteLength));
    const form = await new Response(new Uint8Array(request.body), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData();
    expect(Object.fromEntries([...form.entries()].filter(([, value]) => typeof value === 'string'))).toEqual({
      section: 'databases',
      action: 'upload',
      api_key: 'key',
      database_id: '7',
      trim_value: '0',
    });
    const file = form.get('csvfile') as File;
    expect(file.name).toBe('new "values"\n.csv');
    expect(file.type).toBe('text/csv');
    expect(Buffer.from(await file.arrayBuffer()).equals(content)).toBe(true);
  });

  test('a file for the account is streamed, and aborted once it is larger than its limit', async () => {
    const server = await serve((_, response) => send(response, success()));
    const { client } = accountsAt(server.url).open('key');
    await client.call(databases.upload, { database_id: '7', csvfile: { ...csv, content: pieces(9, 1_000_000) } });
    expect(server.seen[0]?.body.byteLength).toBeGreaterThan(9_000_000);
    await expect(
      client.call(databases.upload, { database_id: '7', csvfile: { ...csv, content: pieces(50, 1_000_000) } }),
    ).rejects.toMatchObject({ code: 'account.input', param: 'csvfile', apiCode: '105' });
    expect(server.seen).toHaveLength(1);
  });

  test('a file that cannot be read is reported as unreadable, and not as the account’s fault', async () => {
    const server = await serve((_, response) => send(response, success()));
    const { client } = accountsAt(server.url).open('key');
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a\n');
      throw new Error('the disk is gone');
    }
    await expect(
      client.call(databases.upload, { database_id: '7', csvfile: { ...csv, content: failing() } }),
    ).rejects.toMatchObject({ code: 'account.input', param: 'csvfile' });
  });
});
