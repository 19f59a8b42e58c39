/**
 * The HTTP client for requests to the app: requests are signed and time out as Slack's do, with Slack's error codes.
 * Connections are not reused, so that a restarted app never receives a request on a stale one.
 */
import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';
import type { Clock } from '../../../clock.js';
import { abortAfter } from '../../../timeout.js';

export interface Answer {
  readonly ok: true;
  readonly body: string;
  readonly contentType: string;
  readonly ms: number;
}

export interface NoAnswer {
  readonly ok: false;
  /** The error code as Slack shows it to the user. */
  readonly error: 'operation_timeout' | 'dispatch_failed' | 'http_client_error' | 'http_service_error';
  readonly ms: number;
  /** Whether Slack must not retry: the response carried `x-slack-no-retry: 1`, or nothing was sent. */
  readonly noRetry: boolean;
}

export interface Sender {
  post(to: {
    readonly url: string;
    readonly contentType: 'application/x-www-form-urlencoded' | 'application/json';
    readonly body: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly timeoutMs: number;
  }): Promise<Answer | NoAnswer>;
  close(): Promise<void>;
}

/** The signature of a request, as Slack's: HMAC-SHA256 of `v0:timestamp:body`. */
export function signatureOf(signingSecret: string, timestamp: string, body: string): string {
  return `v0=${createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
}

const largestAnswer = 1_000_000;

export function createSender(deps: { signingSecret: string; clock: Clock }): Sender {
  const { clock, signingSecret } = deps;
  const agent = new Agent({ pipelining: 0 });
  const stopping = new AbortController();

  return {
    post: ({ url, contentType, body, headers, timeoutMs }) =>
      abortAfter(clock, timeoutMs, undefined, async (timeout) => {
        const timestamp = String(Math.floor(clock.now() / 1000));
        const startedAt = clock.now();
        const noAnswer = (error: NoAnswer['error'], noRetry = false): NoAnswer => ({
          ok: false,
          error,
          ms: clock.now() - startedAt,
          noRetry,
        });
        try {
          const response = await request(url, {
            dispatcher: agent,
            method: 'POST',
            signal: AbortSignal.any([timeout, stopping.signal]),
            headers: {
              ...headers,
              'content-type': contentType,
              'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
              'x-slack-request-timestamp': timestamp,
              'x-slack-signature': signatureOf(signingSecret, timestamp, body),
            },
            body,
          });
          const text = await response.body.text();
          const noRetry = response.headers['x-slack-no-retry'] === '1';
          if (response.statusCode >= 500) {
            return noAnswer('http_service_error', noRetry);
          }
          if (response.statusCode !== 200 || text.length > largestAnswer) {
            return noAnswer('http_client_error', noRetry);
          }
          return {
            ok: true,
            body: text,
            contentType: String(response.headers['content-type'] ?? ''),
            ms: clock.now() - startedAt,
          };
        } catch {
          return noAnswer(timeout.aborted ? 'operation_timeout' : 'dispatch_failed');
        }
      }),
    async close() {
      stopping.abort();
      await agent.destroy();
    },
  };
}
