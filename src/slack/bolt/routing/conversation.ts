/**
 * Messages as requests: a shortcut on a message, a mention, a direct message. A mention or direct message is answered
 * once; those of bots, the app's own messages, edits and repeated events are ignored.
 */
import type { AllMiddlewareArgs, MessageShortcut, SlackShortcutMiddlewareArgs } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { recordKey } from '../../../workspaces/record-store.js';
import type { Message } from '../../block-kit/elements.js';
import { slackErrorCode } from '../errors.js';
import { authorize } from '../people/permissions.js';
import type { RequestOutcome } from '../problem/answer-error.js';
import { spokenMessage } from './conversation-message.js';
import type { EventArgs } from './handlers.js';
import type { ConversationSpec, ShortcutSpec } from './listeners.js';
import { modalToOpen } from './modal.js';
import { actorOf, answerErrors, type Host, requestFrom } from './request.js';
import { type Respond, respondOrPostPrivately, trackAnswers } from './respond.js';

export type ShortcutArgs = Pick<AllMiddlewareArgs, 'context' | 'client'> &
  Pick<SlackShortcutMiddlewareArgs<MessageShortcut>, 'ack' | 'body' | 'shortcut'>;

export async function onShortcut(
  { ack, shortcut, context, client }: ShortcutArgs,
  host: Host,
  spec: ShortcutSpec,
): Promise<RequestOutcome> {
  await ack();
  const request = requestFrom(client, host, {
    actor: actorOf(context, shortcut.user.id, shortcut.channel.id),
    reference: host.reporter.newReference(),
    responseUrl: shortcut.response_url,
    modalIn: (modalHost) => modalToOpen(modalHost, shortcut.trigger_id),
  });
  const { base, modal, notice } = request;
  return answerErrors(shortcut.callback_id, request, host, async () => {
    const message = spokenMessage.parse(shortcut.message);
    const person = await authorize({ ...base, modal }, { role: spec.role });
    const respond = trackAnswers(base.changes, respondOrPostPrivately(notice!.respond, base.postPrivately));
    await spec.run({ ...base, person, message, respond, slowNotice: notice!.slowNotice });
  });
}

/** A message that a person wrote, as first sent: an edit, a bot's or a system message has a subtype or other fields. */
const messageSchema = spokenMessage.extend({
  user: z.string(),
  channel: z.string(),
  channel_type: z.string().optional(),
  subtype: z.enum(['file_share', 'thread_broadcast']).optional(),
  bot_id: z.undefined().optional(),
  edited: z.undefined().optional(),
  hidden: z.undefined().optional(),
});

/** Puts a message in the place of another one; false where Slack says that it does not, as the other one is deleted. */
async function isReplaced(client: WebClient, channel: string, ts: string, message: Message): Promise<boolean> {
  try {
    await client.chat.update({ channel, ts, ...message });
    return true;
  } catch (error) {
    if (slackErrorCode(error) === undefined) {
      throw error;
    }
    return false;
  }
}

const envelope = z.object({ event_id: z.string() });

/** How long an event's id is kept: Slack repeats an event within minutes, or by the hour for a day. */
const repeatedMs = 24 * 3_600_000;

/** Answers a message. `type`: the event's name in the manifest, as `message.im`. */
export async function onConversation(
  { event, body, context, client }: EventArgs,
  host: Host,
  type: string,
  spec: ConversationSpec,
): Promise<RequestOutcome> {
  const { deps } = host;
  const { data } = messageSchema.safeParse(event);
  const isDirect = type === 'message.im';
  if (!data || data.user === context.botUserId || isDirect !== (data.channel_type === 'im')) {
    return 'ok';
  }
  const actor = actorOf(context, data.user, data.channel);
  const { event_id: eventId } = envelope.parse(body);
  let isFirstEvent = false;
  const markSeen = (before: unknown) => {
    isFirstEvent = before === undefined;
    return before ?? deps.clock.now();
  };
  await deps.store.revise('message-event', recordKey(actor.owner, eventId), markSeen, { ttlMs: repeatedMs });
  if (!isFirstEvent) {
    return 'ok';
  }
  const thread = data.thread_ts === undefined ? {} : { thread_ts: data.thread_ts };
  let noticeTs: string | undefined;
  const answer: Respond = async (message, how = {}) => {
    const { text, blocks } = message;
    if (!isDirect) {
      await client.chat.postEphemeral({ channel: data.channel, user: data.user, ...thread, text, blocks });
      return;
    }
    const replacedTs = noticeTs;
    noticeTs = undefined;
    if (replacedTs !== undefined && (await isReplaced(client, data.channel, replacedTs, message))) {
      return;
    }
    const { ts } = await client.chat.postMessage({ channel: data.channel, ...thread, ...message });
    noticeTs = how.notice ? ts : undefined;
  };
  const request = requestFrom(client, host, {
    actor,
    reference: host.reporter.newReference(),
    answer,
    // An event opens no modal: there is no trigger.
    modalIn: (modalHost) => modalToOpen(modalHost, ''),
  });
  const { base, modal, notice } = request;
  return answerErrors(type, request, host, async () => {
    const person = await authorize({ ...base, modal }, { role: spec.role });
    const respond = trackAnswers(base.changes, respondOrPostPrivately(notice!.respond, base.postPrivately));
    const { botUserId = '' } = context;
    await spec.run({ ...base, person, message: data, botUserId, respond, slowNotice: notice!.slowNotice });
  });
}
