/**
 * The POST to a service's URL: a form, a timeout, 10,000 bytes of answer, no redirects, no keep-alive. A reported URL
 * ends before its secret.
 */
import { Agent, request } from 'undici';
import type { Clock } from '../../../clock.js';
import { codeOf } from '../../../errors.js';
import { longestReply, type Reply, readReply } from './reply.js';

export interface PostReport {
  /** The URL without its secret: `http://host/relay/id/…`. */
  readonly url: string;
  readonly http_status?: number;
  readonly body?: string;
  readonly error?: string;
}

export interface PostOutcome {
  readonly posted: PostReport;
  /** The URL's answer; absent where none came, or none in the form of docs/account-api.md#scan-to-url. */
  readonly reply?: Reply;
}

export type FormFields = readonly (readonly [name: string, value: string])[];

export interface Postman {
  post(url: string, fields: FormFields): Promise<PostOutcome>;
  close(): Promise<void>;
}

export interface PostmanOptions {
  readonly clock: Clock;
  /** How long a device waits for a response; the account's devices wait 15,000. */
  readonly timeoutMs: number;
  /** Whether to lose this answer: for tests of repeated scans. */
  readonly loseAnswer: () => boolean;
}

export function createPostman(options: PostmanOptions): Postman {
  const agent = new Agent({ pipelining: 0, connect: { timeout: options.timeoutMs } });

  async function send(url: string, fields: FormFields, signal: AbortSignal): Promise<PostOutcome> {
    const response = await request(url, {
      method: 'POST',
      dispatcher: agent,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'scanning-account/1.0' },
      body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString(),
    });
    const body = await readCut(response.body);
    const reply = readReply(body);
    return { posted: { url: hideSecret(url), http_status: response.statusCode, body }, ...(reply ? { reply } : {}) };
  }

  return {
    post: async (url, fields) => {
      if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
        return { posted: { url: hideSecret(url), error: 'no_url' } };
      }
      const timeout = new AbortController();
      const timer = new AbortController();
      options.clock.sleep(options.timeoutMs, timer.signal).then(
        () => timeout.abort(),
        () => {},
      );
      try {
        const outcome = await send(url, fields, timeout.signal);
        return options.loseAnswer() ? { posted: { url: hideSecret(url), error: 'answer_lost' } } : outcome;
      } catch (error) {
        return { posted: { url: hideSecret(url), error: timeout.signal.aborted ? 'timeout' : codeOf(error) } };
      } finally {
        timer.abort();
      }
    },
    close: () => agent.destroy(),
  };
}

async function readCut(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(part);
    size += part.length;
    if (size > longestReply) break;
  }
  return Buffer.concat(parts).subarray(0, longestReply).toString('utf8');
}

/** A URL without its secret: the origin, `/relay/` and the relay's id; anything else may be secret. */
export function hideSecret(url: string): string {
  if (!URL.canParse(url)) return url === '' ? '' : '…';
  const { origin, pathname, search } = new URL(url);
  const relay = /^\/relay\/[^/]+/.exec(pathname)?.[0] ?? '';
  return `${origin}${relay}${pathname + search === relay || pathname + search === '/' ? '' : '/…'}`;
}
