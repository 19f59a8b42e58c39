/**
 * The request that starts a workflow. Slack tells no repeat of it from a new one, so whatever is in doubt is sent again.
 * A failure is a code: an error of the connection, which may name the URL, goes no further. No redirect is followed.
 */
import { Agent, request } from 'undici';
import { z } from 'zod';
import type { PostOutcome } from '../posts/index.js';

/** The variables, flat: a workflow takes only those that were declared for its trigger, as texts. */
export type TriggerVariables = Readonly<Record<string, string>>;

export type StartOutcome = Extract<PostOutcome, { outcome: 'delivered' | 'retry' | 'refused' }>;

/** How long to wait for Slack's answer: less than the outbox waits, so that a start without an answer is sent again. */
const answerMs = 10_000;
const answer = z.object({ ok: z.boolean(), error: z.string().optional() });
/** The shape of Slack's own errors: no other text of an answer is kept. */
const errorWord = /^[a-z_]{1,60}$/;

/** Starts a workflow. Never rejects. */
export type StartWorkflow = (url: string, variables: TriggerVariables, signal: AbortSignal) => Promise<StartOutcome>;

export function createStartWorkflow(): StartWorkflow {
  const dispatcher = new Agent({
    connect: { timeout: 5_000 },
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
    maxResponseSize: 64_000,
  });
  return async (url, variables, signal) => {
    try {
      const response = await request(url, {
        dispatcher,
        method: 'POST',
        body: JSON.stringify(variables),
        signal,
        headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'scandesk' },
      });
      const text = await response.body.text();
      return outcomeOf(response.statusCode, response.headers['retry-after'], text);
    } catch (error) {
      return { outcome: 'retry', code: `slack.${connectionCode(error)}` };
    }
  };
}

function outcomeOf(status: number, retryAfter: unknown, text: string): StartOutcome {
  const { ok = status < 300, error = '' } = readAnswer(text);
  if (status === 429 || error === 'ratelimited' || error === 'rate_limited') {
    const seconds = Number(retryAfter);
    return { outcome: 'retry', code: 'slack.ratelimited', ...(seconds > 0 ? { afterMs: seconds * 1_000 } : {}) };
  }
  if (status === 408 || status >= 500) {
    return { outcome: 'retry', code: `slack.http_${status}` };
  }
  if (status < 300 && ok) {
    return { outcome: 'delivered' };
  }
  if (status === 404 || status === 410) {
    return { outcome: 'refused', code: 'workflow.gone' };
  }
  return { outcome: 'refused', code: errorWord.test(error) ? `workflow.${error}` : `slack.http_${status}` };
}

function readAnswer(text: string): Partial<z.output<typeof answer>> {
  try {
    return answer.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

function connectionCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^(E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(code) ? code : 'request_broken';
}
