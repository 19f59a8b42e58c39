/**
 * `client_msg_id`, by which Slack knows a message that it was sent before. Slack documents it by two errors only: the argument
 * itself is undocumented, so that nothing rests on it, and a Slack that refuses it gets posts without it.
 */
import { createHash } from 'node:crypto';
import type { ChatPostMessageArguments, ChatPostMessageResponse, WebClient } from '@slack/web-api';
import type { Log } from '../../log.js';
import { postFailure } from './post-failure.js';

/** Made up once, for ever. */
const namespace = Buffer.from('6f0a3b1e9d5c4b7f8a2e41c7d30f5e96', 'hex');

export interface Sending {
  readonly key: string;
  readonly generation: number;
}

/** The same for every retry of one sending (UUID version 5, RFC 9562). */
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

/** Where nothing was posted because of an argument. */
const argumentRefused = /^slack\.(invalid_arguments|invalid_arg_name|\w*client_msg_id)$/;

/** `chat.postMessage` with that argument, until Slack has taken the same message without it alone. Rejects as the client does. */
export function createPostMessage(log: Log): PostMessage {
  let refused = false;

  return async (client, sending, message, signal) => {
    if (refused) {
      return await client.chat.postMessage(message);
    }
    try {
      // A variable of its own: the client's types do not know the argument, and send whatever there is.
      const identified = { ...message, client_msg_id: clientMsgId(sending) };
      return await client.chat.postMessage(identified);
    } catch (error) {
      const { kind, code } = postFailure(error);
      if (kind !== 'refused' || !argumentRefused.test(code) || signal.aborted) {
        throw error;
      }
      const answer = await client.chat.postMessage(message);
      log.warn({ code }, 'Slack does not take client_msg_id: posts go without it from now on');
      refused = true;
      return answer;
    }
  };
}
