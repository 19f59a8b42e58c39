/**
 * The post to a response_url, which needs no token: at most 5 times within 30 minutes per interaction.
 * The timeout is short, so that another way can be tried.
 */
import { SlackError } from './errors.js';

/** Slack answers these within tenths of a second. */
const answerWithinMs = 3_000;

/** @throws SlackError `slack.response_url` */
export async function postToResponseUrl(url: string, payload: Readonly<Record<string, unknown>>): Promise<void> {
  const failed = (why: string, cause?: unknown) =>
    new SlackError('slack.response_url', `a response_url ${why}`, { cause });
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
      redirect: 'error',
      signal: AbortSignal.timeout(answerWithinMs),
    });
  } catch (error) {
    throw failed('did not answer', error);
  }
  await response.body?.cancel().catch(() => {});
  if (!response.ok) {
    throw failed(`answered with HTTP ${response.status}`);
  }
}

export function timedOut(error: unknown): boolean {
  const cause = error instanceof SlackError ? error.cause : undefined;
  return cause instanceof Error && cause.name === 'TimeoutError';
}
