/** The chat.* methods: post, update, delete, permalink. */
import { z } from 'zod';
import { tellApp } from '../app/message-events.js';
import { escapedAsPosted } from '../escaping.js';
import { changeMessage, messageAsSlack, removeMessage, sayAsApp } from '../messages.js';
import { SlackRefusal } from '../refusal.js';
import type { ChannelRecord, MessageRecord } from '../world/records.js';
import { bool, json, stamp, str } from './args.js';
import { judgeContent, judgeMetadata } from './content.js';
import type { Limits } from './limits.js';
import { type Caller, isInHistory, knownChannel, type Method, method, threadOf, visibleMessage } from './method.js';

const content = {
  text: str.optional(),
  blocks: json.optional(),
  attachments: json.optional(),
  unfurl_links: bool.optional(),
  unfurl_media: bool.optional(),
  mrkdwn: bool.optional(),
  parse: z.enum(['none', 'full', 'client']).optional(),
  link_names: bool.optional(),
};

/** The longest text of a message that is changed; a posted one may be longer. */
const longestUpdate = 4_000;

/** Posts allowed in a burst before `postsPerSecond` applies; Slack allows short bursts. */
const burstPosts = 4;

export function chatMethods(limits: Limits): readonly Method[] {
  const takePostLimit = ({ core, team }: Caller, channel: string): void => {
    if (core.rules.postsPerSecond > 0) {
      limits.take(`post ${team.id} ${channel}`, core.rules.postsPerSecond * 60, burstPosts);
    }
  };

  return [
    method(
      'chat.postMessage',
      {
        scopes: ['chat:write'],
        tier: 0,
        args: z.strictObject({
          channel: str,
          thread_ts: stamp.optional(),
          reply_broadcast: bool.optional(),
          metadata: json.optional(),
          client_msg_id: z.uuid().optional(),
          ...content,
        }),
      },
      (caller, { client_msg_id: id, ...args }) => {
        const channel = postableChannel(caller, args.channel);
        const earlierMessage = id === undefined ? undefined : postedBefore(caller, id);
        if (earlierMessage) {
          return {
            channel: earlierMessage.channel,
            ts: earlierMessage.ts,
            message: messageAsSlack(caller.core, earlierMessage),
          };
        }
        takePostLimit(caller, channel.id);
        const thread = threadOf(caller.core, channel, args.thread_ts);
        const broadcasts = args.reply_broadcast === true && thread.thread_ts !== undefined;
        const record = sayAsApp(
          caller.core,
          caller.team,
          { channel: channel.id, ...thread, ...(broadcasts ? { subtype: 'thread_broadcast' as const } : {}) },
          { ...judgeContent(caller.core, caller.team.id, args), ...(id === undefined ? {} : { client_msg_id: id }) },
        );
        if (id !== undefined && caller.core.rules.clientMsgIds === 'known') {
          caller.core.world.saveClientMsgId(caller.team.id, id, record);
        }
        tellApp(caller.core, record);
        return { channel: channel.id, ts: record.ts, message: messageAsSlack(caller.core, record) };
      },
    ),

    method(
      'chat.postEphemeral',
      {
        scopes: ['chat:write'],
        tier: 100,
        args: z.strictObject({ channel: str, user: str, thread_ts: stamp.optional(), ...content }),
      },
      (caller, args) => {
        const { core, team } = caller;
        const channel = knownChannel(caller, args.channel);
        if (channel.is_archived) {
          throw new SlackRefusal('is_archived');
        }
        if (!core.world.isMember(channel.id, team.bot_user)) {
          throw new SlackRefusal('not_in_channel');
        }
        if (!core.world.isMember(channel.id, args.user)) {
          throw new SlackRefusal('user_not_in_channel');
        }
        const record = sayAsApp(
          core,
          team,
          { channel: channel.id, ephemeral_for: args.user, ...threadOf(core, channel, args.thread_ts) },
          judgeContent(core, team.id, args),
        );
        return { message_ts: record.ts };
      },
    ),

    method(
      'chat.update',
      {
        scopes: ['chat:write'],
        tier: 50,
        args: z.strictObject({
          channel: str,
          ts: stamp,
          metadata: json.optional(),
          reply_broadcast: bool.optional(),
          ...content,
        }),
      },
      (caller, args) => {
        const { core, team } = caller;
        const channel = knownChannel(caller, args.channel);
        const record = ownMessage(caller, channel, args.ts, 'cant_update_message');
        if (channel.is_archived) {
          throw new SlackRefusal('is_inactive');
        }
        if ((args.text?.length ?? 0) > longestUpdate) {
          throw new SlackRefusal('msg_too_long');
        }
        // Blocks, attachments and metadata that a call omits stay; an empty list, or object as metadata, removes them.
        const givenBlocks = args.blocks === undefined ? record.blocks : args.blocks;
        const newContent = judgeContent(core, team.id, {
          ...args,
          blocks: givenBlocks,
          attachments: args.attachments === undefined ? record.attachments : args.attachments,
          metadata: undefined,
          text: args.text ?? record.text,
        });
        const { blocks: _, attachments: __, metadata, ...otherFields } = record;
        const newMetadata =
          args.metadata === undefined
            ? metadata
            : isEmptyObject(args.metadata)
              ? undefined
              : judgeMetadata(args.metadata);
        const newMessage: MessageRecord = {
          ...otherFields,
          ...newContent,
          ...(newMetadata === undefined ? {} : { metadata: newMetadata }),
          edited: { user: team.bot_user, ts: core.world.stamp() },
        };
        changeMessage(core, newMessage);
        return {
          channel: channel.id,
          ts: record.ts,
          text: escapedAsPosted(newMessage.text),
          message: messageAsSlack(core, newMessage),
        };
      },
    ),

    method(
      'chat.delete',
      { scopes: ['chat:write'], tier: 50, args: z.strictObject({ channel: str, ts: stamp }) },
      (caller, args) => {
        const channel = knownChannel(caller, args.channel);
        const record = ownMessage(caller, channel, args.ts, 'cant_delete_message');
        removeMessage(caller.core, record);
        return { channel: channel.id, ts: record.ts };
      },
    ),

    method(
      'chat.getPermalink',
      { tier: 0, args: z.strictObject({ channel: str, message_ts: stamp }) },
      (caller, args) => {
        const channel = knownChannel(caller, args.channel);
        const record = visibleMessage(caller, channel, args.message_ts);
        const path = `/archives/${channel.id}/p${record.ts.replace('.', '')}`;
        return { channel: channel.id, permalink: `${caller.core.origin()}${path}` };
      },
    ),
  ];
}

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** The earlier message with this id. If it cannot be read yet, or no longer, the error is the one Slack documents. */
function postedBefore({ core, team }: Caller, id: string): MessageRecord | undefined {
  if (core.rules.clientMsgIds === 'refused') {
    throw new SlackRefusal('invalid_arguments', {
      response_metadata: { messages: ['[ERROR] invalid additional property: client_msg_id [json-pointer:]'] },
    });
  }
  const earlierMessage = core.rules.clientMsgIds === 'known' ? core.world.clientMsgId(team.id, id) : undefined;
  if (!earlierMessage) {
    return undefined;
  }
  const record = core.world.message(earlierMessage.channel, earlierMessage.ts);
  if (!record || !isInHistory(core, record)) {
    throw new SlackRefusal('duplicate_message_not_found');
  }
  return record;
}

/**
 * A channel in which the app can post: one it is in, a public one with chat:write.public, or a person's direct channel.
 */
function postableChannel(caller: Caller, id: string): ChannelRecord {
  const { core, team, install } = caller;
  if (/^[UW]/.test(id)) {
    const person = core.world.person(id);
    if (!person || person.team !== team.id || person.is_bot) {
      throw new SlackRefusal('channel_not_found');
    }
    return core.world.directChannel(team, id);
  }
  const channel = knownChannel(caller, id);
  if (channel.is_archived) {
    throw new SlackRefusal('is_archived');
  }
  if (!core.world.isMember(id, team.bot_user) && !install.scopes.includes('chat:write.public')) {
    throw new SlackRefusal('not_in_channel');
  }
  return channel;
}

function ownMessage(caller: Caller, channel: ChannelRecord, ts: string, refusal: string): MessageRecord {
  const record = visibleMessage(caller, channel, ts);
  if (!record.by_app) {
    throw new SlackRefusal(refusal);
  }
  return record;
}
