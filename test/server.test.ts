import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../src/clock.js';
import { silentLog } from '../src/log.js';
import { createHttpServer, type HttpServer, type Route } from '../src/server.js';

let open: HttpServer | undefined;

async function serve(routes: readonly Route[]): Promise<string> {
  open = createHttpServer({ routes, log: silentLog, clock: systemClock });
  return `http://127.0.0.1:${await open.listen(0, '127.0.0.1')}`;
}

afterEach(async () => {
  await open?.close(100);
  open = undefined;
});

const says = (text: string): Route['handle'] => {
  return (_req, res) => {
    res.end(text);
  };
};

describe('the server', () => {
  it('the server matches a route with a slash at its end by prefix, other routes exactly, or answers 404', async () => {
    const base = await serve([
      { path: '/relay/', handle: says('relay') },
      { path: '/healthz', handle: says('health') },
      { path: '/', handle: says('home') },
    ]);
    const answers = await Promise.all(
      ['/relay/a/b', '/healthz?x=1', '/', '/healthz/x', '/other', '/relay'].map(async (path) => {
        const answer = await fetch(base + path);
        return [path, answer.status, await answer.text()];
      }),
    );
    expect(answers).toEqual([
      ['/relay/a/b', 200, 'relay'],
      ['/healthz?x=1', 200, 'health'],
      ['/', 200, 'home'],
      ['/healthz/x', 404, ''],
      ['/other', 404, ''],
      ['/relay', 404, ''],
    ]);
  });

  it('the server answers 500 and keeps running when a route’s handler throws or rejects', async () => {
    const base = await serve([
      {
        path: '/throws',
        handle: () => {
          throw new Error('at once');
        },
      },
      { path: '/rejects', handle: () => Promise.reject(new Error('later')) },
      { path: '/fine', handle: says('fine') },
    ]);
    expect((await fetch(`${base}/throws`)).status).toBe(500);
    expect((await fetch(`${base}/rejects`)).status).toBe(500);
    expect((await fetch(`${base}/fine`)).status).toBe(200);
  });

  it('the server still works after a request that is not HTTP', async () => {
    const base = await serve([{ path: '/fine', handle: says('fine') }]);
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    socket.end('\0\0nonsense\r\n\r\n');
    socket.resume();
    await once(socket, 'close');
    expect((await fetch(`${base}/fine`)).status).toBe(200);
  });

  it('the server still works after a connection that could not be accepted', async () => {
    const base = await serve([{ path: '/fine', handle: says('fine') }]);
    open!.server.emit('error', Object.assign(new Error('accept ENFILE'), { code: 'ENFILE' }));
    expect((await fetch(`${base}/fine`)).status).toBe(200);
  });

  it('a closing server closes idle connections at once', async () => {
    const base = await serve([{ path: '/fine', handle: says('fine') }]);
    const port = Number(new URL(base).port);
    const sockets = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')] as const;
    const [silent, kept] = sockets;
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const closed = Promise.all(
      sockets.map((socket) =>
        once(
          socket.resume().on('error', () => undefined),
          'close',
        ),
      ),
    );
    const answered = once(kept, 'data');
    kept.write('GET /fine HTTP/1.1\r\nhost: x\r\n\r\n');
    await answered;
    const begun = performance.now();
    await open!.close(10_000);
    expect(performance.now() - begun).toBeLessThan(2_000);
    await closed;
    expect(silent.bytesRead).toBe(0);
  });

  it('a closing server lets a request in flight finish', async () => {
    let finish = () => {};
    const started = new Promise<void>((begun) => {
      void serve([
        {
          path: '/slow',
          handle: (_req, res) => {
            finish = () => res.end('done');
            begun();
          },
        },
      ]).then((base) => {
        answer = fetch(`${base}/slow`).then((r) => r.text());
      });
    });
    let answer: Promise<string> = Promise.resolve('');
    await started;
    const closed = open!.close(10_000);
    finish();
    expect(await answer).toBe('done');
    await closed;
  });
});
