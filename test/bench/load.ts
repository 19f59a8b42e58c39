/**
 * The load generator: connections that each send one request after another and read each response fully. It uses raw
 * sockets, because a client library would cost more than the measured server.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { percentile } from './figures.js';

export interface Load {
  readonly sent: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly refused: number;
}

export interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  readonly ms: number;
  /** The n-th request in full: request line, headers, body. */
  request(n: number): string;
}

export async function applyLoad(options: LoadOptions): Promise<Load> {
  const times: number[] = [];
  let refused = 0;
  let n = 0;
  const until = performance.now() + options.ms;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: options.connections }, async () => {
      const socket = connect(options.port, '127.0.0.1').setNoDelay(true);
      const exchange = responses(socket);
      while (performance.now() < until) {
        n += 1;
        const at = performance.now();
        socket.write(options.request(n));
        const status = await exchange.next();
        times.push(performance.now() - at);
        if (status !== 200) {
          refused += 1;
        }
      }
      socket.destroy();
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  times.sort((a, b) => a - b);
  return {
    sent: times.length,
    perSecond: times.length / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    refused,
  };
}

export interface OpenLoad {
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly longest: number;
  readonly refused: number;
}

export interface OpenLoadOptions {
  readonly port: number;
  readonly perSecond: number;
  readonly ms: number;
  /** The n-th request in full: request line, headers, body. */
  request(n: number): string;
}

/** The most requests of an open load that may be unanswered at once; further ones wait, and their latency counts. */
const openConnections = 256;

/**
 * Applies a load of requests that are due at a fixed rate, whatever the server does. Each latency counts from when its
 * request was due: a request that waits for a slow one is counted as slow too (no coordinated omission).
 */
export async function applyOpenLoad({ port, perSecond, ms, request }: OpenLoadOptions): Promise<OpenLoad> {
  const times: number[] = [];
  let refused = 0;
  const started = performance.now();
  const all = Math.round((perSecond * ms) / 1_000);
  const due: { readonly n: number; readonly at: number }[] = [];
  const idle = Array.from({ length: openConnections }, () => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true);
    return { socket, exchange: responses(socket) };
  });
  const sockets = [...idle];
  const send = async (): Promise<void> => {
    const [next, connection] = [due.shift(), idle.pop()];
    if (!next || !connection) {
      throw new Error('nothing to send');
    }
    connection.socket.write(request(next.n));
    const status = await connection.exchange.next();
    times.push(performance.now() - next.at);
    refused += status === 200 ? 0 : 1;
    idle.push(connection);
  };
  const sending: Promise<void>[] = [];
  for (let n = 0; times.length < all; ) {
    for (; n < all && started + (n * 1_000) / perSecond <= performance.now(); n += 1) {
      due.push({ n, at: started + (n * 1_000) / perSecond });
    }
    while (due.length > 0 && idle.length > 0) {
      sending.push(send());
    }
    await wait(1);
  }
  await Promise.all(sending);
  for (const { socket } of sockets) {
    socket.destroy();
  }
  times.sort((a, b) => a - b);
  return {
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    p999: percentile(times, 0.999),
    longest: times.at(-1) ?? Number.NaN,
    refused,
  };
}

const lastChunk = '0\r\n\r\n';

/** The index at which the response's body ends, or -1 if it has not fully arrived. */
function endOfBody(buffered: string, from: number): number {
  const head = buffered.slice(0, from);
  if (/transfer-encoding: chunked/i.test(head)) {
    const at = buffered.indexOf(lastChunk, from);
    return at === -1 ? -1 : at + lastChunk.length;
  }
  const end = from + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return buffered.length < end ? -1 : end;
}

/** Reads the responses from a socket, one per request. */
function responses(socket: Socket): { next(): Promise<number> } {
  let buffered = '';
  let waiting: { done(status: number): void; fail(error: Error): void } | undefined;
  const look = () => {
    const end = buffered.indexOf('\r\n\r\n');
    if (end === -1 || !waiting) {
      return;
    }
    const after = endOfBody(buffered, end + 4);
    if (after === -1) {
      return;
    }
    const status = Number(buffered.slice(9, 12));
    buffered = buffered.slice(after);
    const { done } = waiting;
    waiting = undefined;
    done(status);
  };
  socket.setEncoding('latin1').on('data', (text: string) => {
    buffered += text;
    look();
  });
  const lost = () => waiting?.fail(new Error('the connection was lost'));
  socket.on('error', lost).on('close', lost);
  return {
    next: () =>
      new Promise((done, fail) => {
        waiting = { done, fail };
        look();
      }),
  };
}

export function post(path: string, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${lines.join('')}\r\n${body}`;
}
