/** Shared fixtures of the CodeREADr client's tests: a scripted HTTP server and a manual clock. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Keyv } from 'keyv';
import { type Clock, type Random, systemClock, systemRandom } from '../../src/clock.js';
import { type AccountsDeps, createAccounts } from '../../src/codereadr/index.js';
import type { Accounts } from '../../src/codereadr/types.js';
import { silentLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics.js';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  readonly form: URLSearchParams;
}

export interface Server {
  readonly url: string;
  readonly seen: Seen[];
  close(): Promise<void>;
}

export type Answering = (request: Seen, response: ServerResponse) => void | Promise<void>;

/** A real server on a free port; it reads each request fully, records it, then answers as scripted. */
export async function startServer(answer: Answering): Promise<Server> {
  const seen: Seen[] = [];
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('error', () => {});
    request.on('end', () => {
      const body = Buffer.concat(pieces);
      const note: Seen = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body,
        form: new URLSearchParams(body.toString('utf8')),
      };
      seen.push(note);
      Promise.resolve()
        .then(() => answer(note, response))
        .catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/api/`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

export function success(content = ''): string {
  return `${declaration}<xml><status>1</status>${content}</xml>`;
}

export function failure(code: string, text: string): string {
  return `${declaration}<xml><status>0</status><error code="${code}">${text}</error></xml>`;
}

export function send(response: ServerResponse, document: string): void {
  response.writeHead(200, { 'content-type': 'text/xml' }).end(document);
}

/** Real accounts at the URL of a test's server; `over` replaces dependencies. */
export function openAccounts(url: string, over: Partial<AccountsDeps> = {}): Accounts {
  return createAccounts({
    apiUrl: url,
    generatorUrl: url,
    cache: (namespace) => new Keyv({ namespace }),
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    metrics: createMetrics(),
    callsPerMinute: 10_000,
    ...over,
  });
}

export interface HandClock extends Clock {
  /** Advances time, running due timers in order. */
  advance(ms: number): Promise<void>;
  readonly sleepers: number;
}

/** Noon, on the full minute, so that no quota resets by accident. */
export const noon = Date.UTC(2030, 4, 15, 12, 0, 0);

export function handClock(start = noon): HandClock {
  let now = start;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        const sleeper = {
          at: now + ms,
          wake: () => {
            sleepers.delete(sleeper);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    advance: async (ms) => {
      const target = now + ms;
      for (;;) {
        const next = [...sleepers].filter((sleeper) => sleeper.at <= target).sort((a, b) => a.at - b.at)[0];
        if (!next) {
          break;
        }
        now = Math.max(now, next.at);
        next.wake();
        await settle();
      }
      now = target;
      await settle();
    },
    get sleepers() {
      return sleepers.size;
    },
  };
}

/** Lets resumed tasks run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Waits in real time until the condition holds. */
export async function until(isMet: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!isMet()) {
    if (Date.now() > deadline) {
      throw new Error('it never came to be so');
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export const steadyRandom: Random = { bytes: (size) => Buffer.alloc(size, 7), fraction: () => 0.5 };
