/** Messages: posting, updating and deleting them, and their shape for the app and for the page. */
import type { ShownMessage } from './api.js';
import type { Core } from './core.js';
import { blocksAsPosted, escapedAsPosted } from './escaping.js';
import { fileAsSlack } from './files.js';
import { canSee } from './people.js';
import type { Block, MessageRecord, Metadata, TeamRecord } from './world/records.js';

export interface Content {
  readonly text: string;
  readonly blocks?: readonly Block[];
  readonly attachments?: readonly unknown[];
  readonly metadata?: Metadata;
  readonly client_msg_id?: string;
  readonly unfurl_links?: boolean;
  readonly unfurl_media?: boolean;
}

/** Tells the pages of all who see the message that the messages of its channel have changed. */
export function announceMessages(core: Core, message: Pick<MessageRecord, 'channel' | 'ephemeral_for'>): void {
  const channel = core.world.channel(message.channel);
  core.streams.tellAll({ type: 'messages', channel: message.channel }, (id) => {
    const person = core.world.person(id);
    if (!person || !channel || (message.ephemeral_for !== undefined && message.ephemeral_for !== id)) {
      return false;
    }
    return canSee(core, person, channel);
  });
}

export function putMessage(
  core: Core,
  message: Omit<MessageRecord, 'ts' | 'by_app'> & { readonly by_app?: boolean },
): MessageRecord {
  const record: MessageRecord = { by_app: false, ...message, ts: core.world.stamp() };
  core.world.saveMessage(record);
  announceMessages(core, record);
  return record;
}

export function changeMessage(core: Core, record: MessageRecord): void {
  core.world.saveMessage(record);
  announceMessages(core, record);
}

export function removeMessage(core: Core, record: MessageRecord): void {
  core.world.deleteMessage(record.channel, record.ts);
  announceMessages(core, record);
}

/** Posts a message as the app's bot. */
export function sayAsApp(
  core: Core,
  team: TeamRecord,
  to: Pick<MessageRecord, 'channel' | 'ephemeral_for' | 'thread_ts' | 'subtype' | 'from_app' | 'files'>,
  content: Content,
): MessageRecord {
  return putMessage(core, { ...to, ...content, user: team.bot_user, by_app: true });
}

/** The message as chat.postMessage, conversations.history and payloads have it. */
export function messageAsSlack(core: Core, record: MessageRecord, withMetadata = true): Record<string, unknown> {
  const channel = core.world.channel(record.channel);
  const team = core.world.team(channel?.team ?? '');
  const replies = record.thread_ts === undefined ? core.world.replyCount(record.channel, record.ts) : 0;
  return {
    type: 'message',
    ...(record.subtype === undefined ? {} : { subtype: record.subtype }),
    ...(record.client_msg_id === undefined ? {} : { client_msg_id: record.client_msg_id }),
    ...(record.by_app && team
      ? {
          bot_id: team.bot_id,
          app_id: core.appId,
          bot_profile: {
            id: team.bot_id,
            app_id: core.appId,
            name: core.manifest.features.bot_user.display_name,
            team_id: team.id,
            deleted: false,
          },
        }
      : {}),
    user: record.user,
    team: team?.id,
    text: escapedAsPosted(record.text),
    ts: record.ts,
    ...(record.blocks ? { blocks: blocksAsPosted(record.blocks) } : {}),
    ...(record.attachments ? { attachments: blocksAsPosted(record.attachments) } : {}),
    ...(record.edited ? { edited: record.edited } : {}),
    ...(record.thread_ts !== undefined ? { thread_ts: record.thread_ts } : {}),
    ...(replies > 0 ? { thread_ts: record.ts, reply_count: replies } : {}),
    ...(record.metadata && withMetadata ? { metadata: record.metadata } : {}),
    ...(record.files
      ? { files: record.files.flatMap((id) => core.world.file(id) ?? []).map((file) => fileAsSlack(core, file)) }
      : {}),
    ...(record.reactions && record.reactions.length > 0
      ? { reactions: record.reactions.map((one) => ({ ...one, count: one.users.length })) }
      : {}),
    ...(record.pinned ? { pinned_to: [record.channel] } : {}),
  };
}

/** A message as the page and scripts see it: its files with their details, and without what only the sandbox needs. */
export function messageShown(core: Core, record: MessageRecord): ShownMessage {
  const { by_app: _, client_msg_id: __, edited, files, ...shownRecord } = record;
  return {
    ...shownRecord,
    ...(edited ? { edited: true } : {}),
    ...(files
      ? {
          files: files
            .flatMap((id) => core.world.file(id) ?? [])
            .map(({ id, name, mimetype, size, deleted = false }) => ({ id, name, mimetype, size, deleted })),
        }
      : {}),
  };
}
