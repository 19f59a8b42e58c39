/**
 * Ways to answer a person: the response_url, an ephemeral message in the channel, or the app's direct message; and
 * whether the answer arrived. A change that was made is never reported as failed, nor left unreported.
 */
import type { WebClient } from '@slack/web-api';
import type { AuditEntry } from '../../../workspaces/types.js';
import type { Message } from '../../block-kit/elements.js';
import { isBrokenConnection, SlackError } from '../errors.js';

/**
 * Responds to a request. A response_url takes 5 messages within 30 minutes, which are ephemeral by default. `notice`: a
 * line that the answer replaces, where Slack lets the app change it.
 */
export type Respond = (
  message: Message,
  how?: {
    readonly inChannel?: boolean;
    readonly replace?: boolean;
    readonly notice?: boolean;
    readonly thread?: string;
  },
) => Promise<void>;

export function respondThrough(url: string): Respond {
  let timeoutError: unknown;
  return async (message, options = {}) => {
    if (timeoutError !== undefined) {
      // After one timeout, another try would time out too while the person waits.
      throw timeoutError;
    }
    try {
      await postToResponseUrl(url, {
        ...message,
        response_type: options.inChannel ? 'in_channel' : 'ephemeral',
        replace_original: options.replace ?? false,
        ...(options.thread === undefined ? {} : { thread_ts: options.thread }),
      });
    } catch (error) {
      timeoutError = isTimeout(error) ? error : undefined;
      throw error;
    }
  };
}

/**
 * Posts to one person in private. A response_url may be used up, expired or slow, a channel closed to the app: each way
 * is tried in turn, the app's direct message last.
 * @throws SlackError `slack.response_url` where the connection broke while Slack may have posted in the channel
 */
export function postPrivatelyThrough(
  client: WebClient,
  recipient: { readonly userId: string; readonly channelId?: string | undefined },
  respond?: Respond,
): (message: Message) => Promise<void> {
  return async (message) => {
    const { text, blocks } = message;
    if (respond && (await isPosted(respond(message)))) {
      return;
    }
    if (recipient.channelId) {
      const posting = client.chat.postEphemeral({ channel: recipient.channelId, user: recipient.userId, text, blocks });
      if (await isPosted(posting)) return;
    }
    await client.chat.postMessage({ channel: recipient.userId, ...message });
  };
}

function isPosted(posting: Promise<unknown>): Promise<boolean> {
  return posting.then(
    () => true,
    (error: unknown) => {
      if (isBrokenConnection(error)) {
        throw new SlackError('slack.response_url', 'a message may have been posted', { cause: error });
      }
      return false;
    },
  );
}

/** Like `respond`, but a private answer takes another way where the response_url fails. */
export function respondOrPostPrivately(respond: Respond, postPrivately: (message: Message) => Promise<void>): Respond {
  return (message, how = {}) => (how.inChannel || how.replace ? respond(message, how) : postPrivately(message));
}

/** The changes a request has made, and whether the person has seen the outcome. */
export interface Changes {
  /** The changes, as entries of the audit log. */
  readonly made: readonly AuditEntry[];
  /** Whether something was changed, and the last thing shown or posted did not reach the person. */
  readonly unseen: boolean;
  add(entry: AuditEntry): void;
  /** Records whether the last thing shown or posted reached the person. */
  recordDelivery(reached: boolean): void;
}

export function createChanges(): Changes {
  const changesMade: AuditEntry[] = [];
  let isAnswerLost = false;
  return {
    made: changesMade,
    get unseen() {
      return isAnswerLost && changesMade.length > 0;
    },
    add(entry) {
      changesMade.push(entry);
    },
    recordDelivery(reached) {
      isAnswerLost = !reached;
    },
  };
}

/** Wraps a way of posting so that `changes` knows whether the message reached the person. */
export function trackAnswers<Args extends readonly unknown[]>(
  changes: Changes,
  sendMessage: (...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    try {
      await sendMessage(...args);
      changes.recordDelivery(true);
    } catch (error) {
      changes.recordDelivery(false);
      throw error;
    }
  };
}

/** How long to wait for a response_url: Slack usually answers within tenths of a second. */
const timeoutMs = 3_000;

/** Posts to a response_url. @throws SlackError `slack.response_url` */
export async function postToResponseUrl(url: string, payload: Readonly<Record<string, unknown>>): Promise<void> {
  const urlError = (why: string, cause?: unknown) =>
    new SlackError('slack.response_url', `a response_url ${why}`, { cause });
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    throw urlError('did not answer', error);
  }
  await response.body?.cancel().catch(() => {});
  if (!response.ok) {
    throw urlError(`answered with HTTP ${response.status}`);
  }
}

/** Whether Slack answered and did not take the message: it was surely not posted. */
export function wasRefused(error: unknown): boolean {
  return error instanceof SlackError && error.code === 'slack.response_url' && error.cause === undefined;
}

export function isTimeout(error: unknown): boolean {
  const cause = error instanceof SlackError ? error.cause : undefined;
  return cause instanceof Error && cause.name === 'TimeoutError';
}
