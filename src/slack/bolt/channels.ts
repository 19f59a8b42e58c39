/**
 * The check whether scans can be posted in a channel: Scandesk must be a member, since it reads its own posts there. It
 * joins a public channel, and asks the person for an invitation to a private one.
 */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { slackErrorCode } from './errors.js';
import { problemText } from './problem/problem.js';

/** Why a channel cannot be used, for the person who chose it. */
interface ChannelProblem {
  readonly ok: false;
  readonly shared?: undefined;
  readonly line: string;
  readonly cause?: unknown;
}

/** Whether a channel can be used. `shared`: people of another organization read it, and nobody agreed to that. */
export type ChannelEntry = { readonly ok: true } | ChannelProblem | { readonly ok: false; readonly shared: true };

const infoAnswer = z.object({
  channel: z.object({
    is_private: z.boolean().optional(),
    is_member: z.boolean().optional(),
    is_archived: z.boolean().optional(),
    is_ext_shared: z.boolean().optional(),
    is_pending_ext_shared: z.boolean().optional(),
  }),
});

/** Whether a conversation is a channel, and not a direct message. */
export function isChannel(id: string | undefined): id is string {
  return id !== undefined && /^[CG]/.test(id);
}

/** The place where the channel was named: in a form, or by a typed command, which the explanation repeats. */
export type ChannelSource = 'form' | { readonly typed: string };

/** The request for an invitation. A form has to be closed first, since people cannot type below an open modal. */
function invitationText(source: ChannelSource): string {
  return source === 'form'
    ? 'Close this form, type /invite @Scandesk in that channel, then fill in the form again.'
    : `Type /invite @Scandesk here, then run ${source.typed} again.`;
}

function notMemberText(source: ChannelSource): string {
  return `Scandesk isn’t in ${source === 'form' ? 'that' : 'this'} private channel. ${invitationText(source)}`;
}

function archivedText(source: ChannelSource): string {
  return source === 'form'
    ? 'That channel is archived. Choose another one.'
    : 'This channel is archived. Run the command in another one.';
}

/** @throws as the client does */
async function infoOf(client: WebClient, channel: string) {
  const { channel: info } = infoAnswer.parse(await client.conversations.info({ channel }));
  // People who accept an invitation later also see the posts from before.
  return { ...info, shared: info.is_ext_shared === true || info.is_pending_ext_shared === true };
}

/** Whether people of another organization read the channel, or are invited to it. @throws as the client does */
export async function isSharedChannel(client: WebClient, channel: string): Promise<boolean> {
  return (await infoOf(client, channel)).shared;
}

/** Makes sure that Scandesk can post in the channel. `sharedIsFine`: the person agreed that others read it. */
export async function enterChannel(
  client: WebClient,
  channel: string,
  { source = 'form', sharedIsFine = false }: { readonly source?: ChannelSource; readonly sharedIsFine?: boolean } = {},
): Promise<ChannelEntry> {
  try {
    const info = await infoOf(client, channel);
    const member = info.is_member === true;
    if (info.is_archived) {
      return { ok: false, line: archivedText(source) };
    }
    if (info.is_private && !member) {
      return { ok: false, line: notMemberText(source) };
    }
    if (info.shared && !sharedIsFine) {
      return { ok: false, shared: true };
    }
    if (!member) {
      await client.conversations.join({ channel });
    }
    return { ok: true };
  } catch (error) {
    return channelProblem(error, source);
  }
}

/** The readers of posts in a conversation. `unknown`: Slack does not say, or Scandesk is not in the private channel. */
export type Reach = 'inside' | 'shared' | 'unknown';

export async function reachOf(client: WebClient, channel: string | undefined): Promise<Reach> {
  if (channel === undefined) {
    return 'unknown';
  }
  try {
    const {
      shared,
      is_private: isPrivate,
      is_member: isMember,
      is_archived: isArchived,
    } = await infoOf(client, channel);
    return isArchived || (isPrivate && !isMember) ? 'unknown' : shared ? 'shared' : 'inside';
  } catch {
    return 'unknown';
  }
}

/** The most pages of members that are read, to look for a person. */
const mostMemberPages = 20;

/**
 * Whether a full member reads the channel: a public channel is read by all, a private one by its members. False where
 * Slack gives no answer.
 */
export async function readsChannel(client: WebClient, channel: string, userId: string): Promise<boolean> {
  try {
    if (!(await infoOf(client, channel)).is_private) {
      return true;
    }
    let cursor: string | undefined = '';
    for (let page = 0; page < mostMemberPages && cursor !== undefined; page += 1) {
      const { members, response_metadata: metadata } = await client.conversations.members({
        channel,
        limit: 1_000,
        ...(cursor === '' ? {} : { cursor }),
      });
      if (members?.includes(userId)) {
        return true;
      }
      cursor = metadata?.next_cursor || undefined;
    }
    return false;
  } catch {
    return false;
  }
}

/** The problem in Slack's error. For a private channel, apps that are no members get `channel_not_found`. */
function channelProblem(error: unknown, source: ChannelSource): ChannelProblem {
  switch (slackErrorCode(error)) {
    case 'channel_not_found':
    case 'method_not_supported_for_channel_type':
      return { ok: false, line: notMemberText(source) };
    case 'is_archived':
      return { ok: false, line: archivedText(source) };
    case 'restricted_action':
    case 'not_allowed_token_type':
      return {
        ok: false,
        line: `This workspace doesn’t allow Scandesk to join ${source === 'form' ? 'that' : 'this'} channel. ${invitationText(source)}`,
      };
    default:
      return { ok: false, line: problemText(error), cause: error };
  }
}
