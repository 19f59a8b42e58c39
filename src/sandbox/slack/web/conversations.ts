/**
 * Owns the conversations.* methods: which channels there are, who is in them and what was said.
 */
import { z } from 'zod';
import type { Core } from '../core.js';
import { messageAsSlack } from '../messages.js';
import { channelAsSlack } from '../people.js';
import { SlackRefusal } from '../refusal.js';
import type { ChannelRecord, MessageRecord } from '../world/records.js';
import { bool, fromCursor, list, stamp, str, toCursor, whole } from './args.js';
import type { Limits } from './limits.js';
import {
  type Caller,
  familyScopes,
  knownChannel,
  knownPerson,
  type Method,
  method,
  pageOf,
  requireScope,
  scopeFor,
} from './method.js';

/** What a distributed app that is not listed gets of a channel's history, at most, by default and at once. */
const unlistedLimit = 15;

const historyArgs = {
  channel: str,
  cursor: z.string().optional(),
  limit: whole(1, 999).optional(),
  oldest: stamp.optional(),
  latest: stamp.optional(),
  inclusive: bool.optional(),
  include_all_metadata: bool.optional(),
};

function position(cursor: string | undefined): string | undefined {
  if (cursor === undefined || cursor === '') {
    return undefined;
  }
  const found = fromCursor(cursor);
  if (found === undefined) {
    throw new SlackRefusal('invalid_cursor');
  }
  return found;
}

export function conversationMethods(limits: Limits): readonly Method[] {
  /** A channel whose messages the app may read. */
  const readable = (caller: Caller, id: string): ChannelRecord => {
    const channel = knownChannel(caller, id);
    requireScope(caller.install, [scopeFor(channel, 'history')]);
    if (!caller.core.world.isMember(id, caller.team.bot_user)) {
      throw new SlackRefusal('not_in_channel');
    }
    return channel;
  };
  const limitOf = (caller: Caller, name: string, asked: number | undefined, usual: number): number => {
    const perMinute = caller.core.rules.historyPerMinute;
    if (perMinute === 0) {
      return asked ?? usual;
    }
    limits.take(`${name} ${caller.team.id}`, perMinute, perMinute);
    return Math.min(asked ?? unlistedLimit, unlistedLimit);
  };

  return [
    method(
      'conversations.info',
      {
        scopes: familyScopes('read'),
        tier: 50,
        args: z.strictObject({ channel: str, include_locale: bool.optional(), include_num_members: bool.optional() }),
      },
      (caller, args) => {
        const channel = readInfo(caller, args.channel);
        return { channel: channelAsSlack(caller.core, caller.team, channel, args.include_num_members) };
      },
    ),

    method(
      'conversations.list',
      {
        scopes: familyScopes('read'),
        tier: 20,
        args: z.strictObject({
          types: list.optional(),
          exclude_archived: bool.optional(),
          limit: whole(1, 1000).optional(),
          cursor: z.string().optional(),
          team_id: str.optional(),
        }),
      },
      ({ core, team, install }, args) => {
        const types = args.types ?? ['public_channel'];
        const scopes: Readonly<Record<string, string>> = {
          public_channel: 'channels:read',
          private_channel: 'groups:read',
          im: 'im:read',
          mpim: 'mpim:read',
        };
        if (types.some((type) => scopes[type] === undefined)) {
          throw new SlackRefusal('invalid_types');
        }
        for (const type of types) {
          requireScope(install, [scopes[type]!]);
        }
        const wanted = core.world.channels(team.id).filter((channel) => {
          const type = channel.is_im ? 'im' : channel.is_private ? 'private_channel' : 'public_channel';
          return (
            types.includes(type) &&
            (!channel.is_private || core.world.isMember(channel.id, team.bot_user)) &&
            !(args.exclude_archived && channel.is_archived)
          );
        });
        const { page, next } = pageOf(wanted, args.limit ?? 100, position(args.cursor));
        return {
          channels: page.map((channel) => channelAsSlack(core, team, channel, true)),
          response_metadata: { next_cursor: next === undefined ? '' : toCursor(next) },
        };
      },
    ),

    method(
      'conversations.members',
      {
        scopes: familyScopes('read'),
        tier: 100,
        args: z.strictObject({ channel: str, limit: whole(1, 1000).optional(), cursor: z.string().optional() }),
      },
      (caller, args) => {
        const channel = readInfo(caller, args.channel);
        const { page, next } = pageOf(caller.core.world.members(channel.id), args.limit ?? 100, position(args.cursor));
        return { members: page, response_metadata: { next_cursor: next === undefined ? '' : toCursor(next) } };
      },
    ),

    method(
      'conversations.join',
      { scopes: ['channels:join'], tier: 50, args: z.strictObject({ channel: str }) },
      (caller, args) => {
        const { core, team } = caller;
        const channel = knownChannel(caller, args.channel);
        if (channel.is_private) {
          throw new SlackRefusal('method_not_supported_for_channel_type');
        }
        if (channel.is_archived) {
          throw new SlackRefusal('is_archived');
        }
        const already = core.world.isMember(channel.id, team.bot_user);
        core.world.addMember(channel.id, team.bot_user);
        core.streams.tellAll({ type: 'state' }, (id) => core.world.person(id)?.team === team.id);
        return {
          channel: channelAsSlack(core, team, channel),
          ...(already
            ? { warning: 'already_in_channel', response_metadata: { warnings: ['already_in_channel'] } }
            : {}),
        };
      },
    ),

    method(
      'conversations.open',
      {
        scopes: ['im:write', 'mpim:write'],
        tier: 50,
        args: z.strictObject({
          users: list.optional(),
          channel: str.optional(),
          return_im: bool.optional(),
          prevent_creation: bool.optional(),
        }),
      },
      (caller, args) => {
        const { core, team } = caller;
        if (args.channel !== undefined) {
          const known = knownChannel(caller, args.channel);
          return { channel: args.return_im ? channelAsSlack(core, team, known) : { id: known.id } };
        }
        const [user, ...others] = args.users ?? [];
        if (user === undefined) {
          throw new SlackRefusal('users_list_not_supplied');
        }
        if (others.length > 0) {
          // No group conversations here: an app that wants one learns so at once.
          throw new SlackRefusal('not_enough_users');
        }
        requireScope(caller.install, ['im:write']);
        const person = knownPerson(caller, user);
        if (person.is_bot) {
          throw new SlackRefusal('cannot_dm_bot');
        }
        const channel = core.world.directChannel(team, person.id);
        return { channel: args.return_im ? channelAsSlack(core, team, channel) : { id: channel.id } };
      },
    ),

    method(
      'conversations.history',
      { scopes: familyScopes('history'), tier: 50, args: z.strictObject(historyArgs) },
      (caller, args) => {
        const channel = readable(caller, args.channel);
        const limit = limitOf(caller, 'conversations.history', args.limit, 100);
        const latest = position(args.cursor);
        const found = caller.core.world.history(channel.id, {
          ...args,
          ...(latest === undefined ? {} : { latest, inclusive: false }),
          limit: limit + 1,
        });
        return pageOfMessages(caller.core, found, limit, args.include_all_metadata);
      },
    ),

    method(
      'conversations.replies',
      { scopes: familyScopes('history'), tier: 50, args: z.strictObject({ ...historyArgs, ts: stamp }) },
      (caller, args) => {
        const channel = readable(caller, args.channel);
        const limit = limitOf(caller, 'conversations.replies', args.limit, 1000);
        const named = caller.core.world.message(channel.id, args.ts);
        if (!named || named.ephemeral_for !== undefined) {
          throw new SlackRefusal('thread_not_found');
        }
        const oldest = position(args.cursor);
        const found = caller.core.world.history(channel.id, {
          ...args,
          ...(oldest === undefined ? {} : { oldest, inclusive: false }),
          thread: named.thread_ts ?? named.ts,
          limit: limit + 1,
        });
        return pageOfMessages(caller.core, found, limit, args.include_all_metadata);
      },
    ),
  ];
}

function readInfo(caller: Caller, id: string): ChannelRecord {
  const channel = knownChannel(caller, id);
  requireScope(caller.install, [scopeFor(channel, 'read')]);
  return channel;
}

function pageOfMessages(
  core: Core,
  found: readonly MessageRecord[],
  limit: number,
  withMetadata: boolean | undefined,
): Record<string, unknown> {
  const page = found.slice(0, limit);
  const more = found.length > limit;
  return {
    messages: page.map((record) => messageAsSlack(core, record, withMetadata === true)),
    has_more: more,
    pin_count: 0,
    ...(more ? { response_metadata: { next_cursor: toCursor(page.at(-1)!.ts) } } : {}),
  };
}
