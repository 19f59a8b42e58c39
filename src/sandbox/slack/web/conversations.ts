/** The conversations.* methods about channels: info, list, members, join, open. */
import { z } from 'zod';
import { channelAsSlack } from '../people.js';
import { SlackRefusal } from '../refusal.js';
import type { ChannelRecord } from '../world/records.js';
import { bool, list, positionOf, str, toCursor, whole } from './args.js';
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

export const conversationMethods: readonly Method[] = [
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
      const listedChannels = core.world.channels(team.id).filter((channel) => {
        const type = channel.is_im ? 'im' : channel.is_private ? 'private_channel' : 'public_channel';
        return (
          types.includes(type) &&
          (!channel.is_private || core.world.isMember(channel.id, team.bot_user)) &&
          !(args.exclude_archived && channel.is_archived)
        );
      });
      const { page, next } = pageOf(listedChannels, args.limit ?? 100, positionOf(args.cursor));
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
      const { page, next } = pageOf(caller.core.world.members(channel.id), args.limit ?? 100, positionOf(args.cursor));
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
        ...(already ? { warning: 'already_in_channel', response_metadata: { warnings: ['already_in_channel'] } } : {}),
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
      const [user, ...otherUsers] = args.users ?? [];
      if (user === undefined) {
        throw new SlackRefusal('users_list_not_supplied');
      }
      if (otherUsers.length > 0) {
        // The sandbox has no group conversations; an app that needs one gets an error at once.
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
];

function readInfo(caller: Caller, id: string): ChannelRecord {
  const channel = knownChannel(caller, id);
  requireScope(caller.install, [scopeFor(channel, 'read')]);
  return channel;
}
