/**
 * Owns the ways a person is answered: through the response_url of a command or click, in the channel for their eyes
 * only, or in the app's own messages.
 */
import type { WebClient } from '@slack/web-api';
import type { Message } from '../../block-kit/elements.js';
import { postToResponseUrl, timedOut } from '../response-url.js';

/** Posts through the request's response_url, 5 times within 30 minutes at most. Ephemeral unless asked otherwise. */
export type Respond = (
  message: Message,
  how?: { readonly inChannel?: boolean; readonly replace?: boolean },
) => Promise<void>;

export function respondThrough(url: string): Respond {
  let hung: unknown;
  return async (message, how = {}) => {
    if (hung !== undefined) {
      // It would hang again, and nobody hears anything meanwhile.
      throw hung;
    }
    try {
      await postToResponseUrl(url, {
        ...message,
        response_type: how.inChannel ? 'in_channel' : 'ephemeral',
        replace_original: how.replace ?? false,
      });
    } catch (error) {
      hung = timedOut(error) ? error : undefined;
      throw error;
    }
  };
}

/**
 * Tells one person something in private. A response_url can be used up or too old, a channel closed to the app: the next
 * way is tried then, and the app's own messages to the person come last.
 */
export function tellThrough(
  client: WebClient,
  to: { readonly userId: string; readonly channelId?: string | undefined },
  respond?: Respond,
): (message: Message) => Promise<void> {
  return async (message) => {
    if (respond) {
      const told = await respond(message).then(
        () => true,
        () => false,
      );
      if (told) return;
    }
    if (to.channelId) {
      const told = await client.chat
        .postEphemeral({ channel: to.channelId, user: to.userId, text: message.text, blocks: message.blocks })
        .then(
          () => true,
          () => false,
        );
      if (told) return;
    }
    await client.chat.postMessage({ channel: to.userId, ...message });
  };
}

/** As `respond`; what is for one person alone finds another way where the response_url is of no use. */
export function privatelyElse(respond: Respond, tell: (message: Message) => Promise<void>): Respond {
  return (message, how = {}) => (how.inChannel || how.replace ? respond(message, how) : tell(message));
}
