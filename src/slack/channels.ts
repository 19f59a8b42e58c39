/**
 * Owns whether scans can be posted in a channel: Scandesk has to be in it, since it reads its own posts there. Joins a
 * public channel; asks for an invitation to a private one.
 */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { problemLine } from './blocks/problem.js';
import { slackWord } from './errors.js';

export type ChannelLook =
  | { readonly ok: true; readonly member: boolean; readonly shared: boolean }
  /** In words, for the person who chose it. */
  | { readonly ok: false; readonly line: string; readonly cause?: unknown };

const infoAnswer = z.object({
  channel: z.object({
    is_private: z.boolean().optional(),
    is_member: z.boolean().optional(),
    is_archived: z.boolean().optional(),
    is_ext_shared: z.boolean().optional(),
    is_pending_ext_shared: z.boolean().optional(),
  }),
});

const invite = 'Scandesk is not in that private channel. Type /invite @Scandesk there, then send this form again.';
const archived = 'That channel is archived. Choose another one.';

/** Slack tells of a private channel only to its members: to us it looks like none. */
export async function lookAtChannel(client: WebClient, channel: string): Promise<ChannelLook> {
  try {
    const { channel: info } = infoAnswer.parse(await client.conversations.info({ channel }));
    const member = info.is_member === true;
    if (info.is_archived) {
      return { ok: false, line: archived };
    }
    if (info.is_private && !member) {
      return { ok: false, line: invite };
    }
    return { ok: true, member, shared: info.is_ext_shared === true || info.is_pending_ext_shared === true };
  } catch (error) {
    return refused(error);
  }
}

export async function joinChannel(client: WebClient, channel: string): Promise<ChannelLook> {
  try {
    await client.conversations.join({ channel });
    return { ok: true, member: true, shared: false };
  } catch (error) {
    return refused(error);
  }
}

function refused(error: unknown): ChannelLook {
  switch (slackWord(error)) {
    case 'channel_not_found':
    case 'method_not_supported_for_channel_type':
      return { ok: false, line: invite };
    case 'is_archived':
      return { ok: false, line: archived };
    case 'restricted_action':
    case 'not_allowed_token_type':
      return {
        ok: false,
        line: 'This workspace does not let Scandesk join that channel. Type /invite @Scandesk there, then send this form again.',
      };
    default:
      return { ok: false, line: problemLine(error), cause: error };
  }
}
