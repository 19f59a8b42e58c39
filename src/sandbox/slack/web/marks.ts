/** Reactions and pins: reactions.add and pins.add. */
import { z } from 'zod';
import { changeMessage } from '../messages.js';
import { SlackRefusal } from '../refusal.js';
import { stamp, str } from './args.js';
import { joinedChannel, type Method, method, visibleMessage } from './method.js';

export const markMethods: readonly Method[] = [
  method(
    'reactions.add',
    {
      scopes: ['reactions:write'],
      tier: 50,
      args: z.strictObject({ channel: str, timestamp: stamp, name: z.string() }),
    },
    (caller, args) => {
      const { core, team } = caller;
      if (!/^[a-z0-9_+'-]+(::skin-tone-[2-6])?$/.test(args.name)) {
        throw new SlackRefusal('invalid_name');
      }
      const channel = joinedChannel(caller, args.channel);
      const record = visibleMessage(caller, channel, args.timestamp);
      const otherReactions = (record.reactions ?? []).filter((one) => one.name !== args.name);
      const users = (record.reactions ?? []).find((one) => one.name === args.name)?.users ?? [];
      if (users.includes(team.bot_user)) {
        throw new SlackRefusal('already_reacted');
      }
      changeMessage(core, {
        ...record,
        reactions: [...otherReactions, { name: args.name, users: [...users, team.bot_user] }],
      });
      return {};
    },
  ),

  method(
    'pins.add',
    { scopes: ['pins:write'], tier: 20, args: z.strictObject({ channel: str, timestamp: stamp }) },
    (caller, args) => {
      const channel = joinedChannel(caller, args.channel);
      const record = visibleMessage(caller, channel, args.timestamp);
      if (record.pinned) {
        throw new SlackRefusal('already_pinned');
      }
      changeMessage(caller.core, { ...record, pinned: true });
      return {};
    },
  ),
];
