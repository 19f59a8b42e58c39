/**
 * `client_msg_id`, by which Slack recognizes a message it has already received. Slack documents only its two errors, so
 * only messages to a person's id, which cannot be searched for, rely on it; if Slack rejects it, posts omit it.
 */
import { createHash } from 'node:crypto';
import type { ChatPostMessageArguments, ChatPostMessageResponse, WebClient } from '@slack/web-api';
import type { Log } from '../../log.js';
import { postFailure } from '../channel-posts/post-failure.js';

/** The namespace of the ids: generated once, never changed. */
const namespace = Buffer.from('6f0a3b1e9d5c4b7f8a2e41c7d30f5e96', 'hex');

export interface Sending {
  readonly key: string;
  readonly generation: number;
}

/** A post's id, the same for every retry of one sending (UUID version 5, RFC 9562). */
export function clientMsgId({ key, generation }: Sending): string {
  const bytes = createHash('sha1').update(namespace).update(`${key}:${generation}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

export type PostMessage = (
  client: WebClient,
  sending: Sending,
  message: ChatPostMessageArguments,
  signal: AbortSignal,
) => Promise<ChatPostMessageResponse>;

/** Errors that mean nothing was posted because of an argument. */
const argumentRefused = /^slack\.(invalid_arguments|invalid_arg_name|\w*client_msg_id)$/;

/** `chat.postMessage` with the argument, until Slack accepts a message only without it. Rejects as the client does. */
export function createPostMessage(log: Log): PostMessage {
  let isRefused = false;

  return async (client, sending, message, signal) => {
    if (isRefused) {
      return await client.chat.postMessage(message);
    }
    try {
      // A separate variable: the types of Slack's client lack the argument, but the client sends every property.
      const identified = { ...message, client_msg_id: clientMsgId(sending) };
      return await client.chat.postMessage(identified);
    } catch (error) {
      const { kind, code } = postFailure(error);
      if (kind !== 'refused' || !argumentRefused.test(code) || signal.aborted) {
        throw error;
      }
      const response = await client.chat.postMessage(message);
      log.warn({ code }, 'Slack rejected client_msg_id: later posts omit it');
      isRefused = true;
      return response;
    }
  };
}
