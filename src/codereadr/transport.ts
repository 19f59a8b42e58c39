/**
 * The HTTP transport: one POST, one bounded answer, a timeout for every wait. Redirects are rejected. Errors never
 * contain the request or the answer, which libraries' errors quote.
 */
import { Readable } from 'node:stream';
import { type Dispatcher, errors, Pool } from 'undici';
import type { Clock } from '../clock.js';
import { abortAfter, withTimeout } from '../timeout.js';
import { AccountError, type AccountErrorCode, type BrokenReason } from './types.js';

export interface Timeouts {
  /** How long to wait until the connection is established. */
  readonly connectMs: number;
  /** How long to wait from the request to the answer's headers. */
  readonly headersMs: number;
  /** How long to wait between two chunks of the answer. */
  readonly bodyMs: number;
  /** How long the whole call may take. */
  readonly totalMs: number;
  /** How long the whole call may take, with a file upload. */
  readonly uploadMs: number;
}

export const defaultTimeouts: Timeouts = {
  connectMs: 5_000,
  headersMs: 15_000,
  bodyMs: 10_000,
  totalMs: 30_000,
  uploadMs: 300_000,
};

export interface RequestBody {
  readonly contentType: string;
  readonly content: string | AsyncIterable<Uint8Array>;
  /** The bytes of a streamed body, where known: some servers accept no chunked body. */
  readonly length?: number;
}

/** An answer with status 200. */
export interface RawResponse {
  readonly contentType: string;
  readonly body: Buffer;
}

/** The connection failed before any answer. `neverSent`: the request cannot have arrived. */
export class WireError extends AccountError {
  constructor(
    code: AccountErrorCode,
    message: string,
    readonly neverSent: boolean,
    details: { cause?: unknown },
  ) {
    super(code, message, details);
  }
}

export interface TransportOptions {
  /** The URL of the endpoint. Its query, if any, is kept; nothing is ever added to it. */
  readonly url: string;
  readonly clock: Clock;
  readonly timeouts: Timeouts;
  readonly maxAnswerBytes: number;
}

/** How long calls under way may take once the account is closing. */
const closingMs = 3_000;

/** The most connections per host; further callers wait. */
const maxConnections = 16;

export function createTransport({ url, clock, timeouts, maxAnswerBytes }: TransportOptions) {
  const endpoint = new URL(url);
  const pool = new Pool(endpoint.origin, {
    connections: maxConnections,
    pipelining: 1,
    connect: { timeout: timeouts.connectMs },
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.bodyMs,
  });

  async function exchange(posting: RequestBody, signal: AbortSignal): Promise<RawResponse> {
    let response: Dispatcher.ResponseData;
    try {
      response = await pool.request({
        path: endpoint.pathname + endpoint.search,
        method: 'POST',
        headers: {
          'content-type': posting.contentType,
          ...(posting.length !== undefined && { 'content-length': String(posting.length) }),
          accept: 'text/xml, application/xml, image/*',
          'accept-encoding': 'identity',
          'user-agent': 'scandesk',
        },
        body:
          typeof posting.content === 'string' ? posting.content : Readable.from(posting.content, { objectMode: false }),
        signal,
      });
    } catch (error) {
      throw beforeAnswer(error);
    }
    try {
      refuseOddAnswer(response);
      return { contentType: headerOf(response, 'content-type'), body: await readBytes(response.body, maxAnswerBytes) };
    } catch (error) {
      response.body.on('error', () => {}).destroy();
      throw error instanceof AccountError ? error : withinAnswer(error);
    }
  }

  return {
    /** Posts a request. @throws AccountError, WireError where the connection is to blame. */
    post: (posting: RequestBody, signal?: AbortSignal): Promise<RawResponse> => {
      const total = typeof posting.content === 'string' ? timeouts.totalMs : timeouts.uploadMs;
      const slow = new AccountError('account.slow', `no whole answer within ${total} ms`);
      return abortAfter(clock, total, slow, async (late) => {
        const stop = signal ? AbortSignal.any([signal, late]) : late;
        try {
          return await exchange(posting, stop);
        } catch (error) {
          const reason = stop.reason === slow ? slow : new AccountError('account.aborted', 'the caller gave up');
          throw stop.aborted ? reason : error;
        }
      });
    },
    close: async (): Promise<void> => {
      await withTimeout(clock, closingMs, () => pool.close(), undefined);
      await pool.destroy(new AccountError('account.aborted', 'the account was closed'));
    },
  };
}

export type Transport = ReturnType<typeof createTransport>;

function refuseOddAnswer(response: Dispatcher.ResponseData): void {
  const { statusCode } = response;
  if (statusCode >= 300 && statusCode < 400) {
    throw brokenAnswer('redirect', `the account answered with a redirect, HTTP ${statusCode}`);
  }
  if (statusCode !== 200) {
    throw brokenAnswer(
      statusCode >= 500 ? 'server_error' : 'http_status',
      `the account answered with HTTP ${statusCode}`,
    );
  }
  const encoding = headerOf(response, 'content-encoding').toLowerCase();
  if (encoding !== '' && encoding !== 'identity') {
    throw brokenAnswer('encoding', 'the answer came compressed, though that was not requested');
  }
}

async function readBytes(body: Readable, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    size += piece.byteLength;
    if (size > maxBytes) {
      throw brokenAnswer('too_large', `the answer is larger than ${maxBytes} bytes`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces, size);
}

export function brokenAnswer(reason: BrokenReason, message: string, cause?: unknown): AccountError {
  return new AccountError('account.broken', message, { reason, cause });
}

const slowCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

const unsentCodes = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function beforeAnswer(error: unknown): AccountError {
  if (error instanceof AccountError) {
    return error;
  }
  const code = systemCode(error);
  const cause = errorOfCode(code);
  if (slowCodes.has(code)) {
    return new AccountError('account.slow', 'no answer in time', { cause });
  }
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    return new AccountError('account.aborted', 'the account was closed', { cause });
  }
  if (code === 'HPE' || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return brokenAnswer('not_http', 'the answer is not HTTP', cause);
  }
  return new WireError('account.unreachable', 'the account cannot be reached', unsentCodes.has(code), { cause });
}

function withinAnswer(error: unknown): AccountError {
  const code = systemCode(error);
  const cause = errorOfCode(code);
  return slowCodes.has(code)
    ? new AccountError('account.slow', 'the answer stopped half way', { cause })
    : brokenAnswer('cut_off', 'the answer broke off', cause);
}

function systemCode(error: unknown): string {
  if (error instanceof errors.HTTPParserError) {
    return 'HPE';
  }
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : 'UNKNOWN';
}

/** An error with a library's code alone: the library's own error may contain the request or the answer. */
function errorOfCode(code: string): Error {
  return Object.assign(new Error(`connection: ${code}`), { code });
}

function headerOf(response: Dispatcher.ResponseData, name: string): string {
  const value = response.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}
