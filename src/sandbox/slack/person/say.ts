/** What people type: messages, slash commands for the app, and two of Slack's built-in commands. */
import type { SayRequest, SayResult } from '../api.js';
import { tellApp } from '../app/message-events.js';
import type { ResponseTarget } from '../app/response-urls.js';
import type { Core } from '../core.js';
import { escapeText } from '../escaping.js';
import { changeMessage, putMessage } from '../messages.js';
import { isOutsider } from '../people.js';
import { SandboxRefusal, SlackRefusal } from '../refusal.js';
import { takeCommandAnswer } from '../web/response.js';
import type { ChannelRecord } from '../world/records.js';
import { isReadOnly } from './place.js';
import { type Actor, joinedChannel } from './who.js';

export interface Saying {
  say(actor: Actor, request: Omit<SayRequest, 'as'>): Promise<SayResult>;
  /** Adds somebody to the channel; `user` may be the app's bot. */
  invite(actor: Actor, channel: ChannelRecord, user: string): void;
  kick(actor: Actor, channel: ChannelRecord, user: string): void;
  /** Changes a message of the person's own. */
  edit(actor: Actor, channel: ChannelRecord, ts: string, text: string): void;
}

const longestMessage = 12_000;

export function createSaying(core: Core): Saying {
  const announceState = (actor: Actor): void =>
    core.streams.tellAll({ type: 'state' }, (id) => core.world.person(id)?.team === actor.team.id);

  /** Turns `@mia`, `#general` and URLs into mentions and links, as Slack does. */
  const withMentions = (actor: Actor, text: string): string =>
    escapeText(text)
      .replace(/(^|\s)(https?:\/\/\S+)/g, '$1<$2>')
      .replace(/(^|\s)([@#])([a-z0-9_-]+)/gi, (whole, before: string, sign: string, name: string) => {
        const wanted = name.toLowerCase();
        const found =
          sign === '@'
            ? core.world.people(actor.team.id).find((one) => one.name === wanted)
            : core.world.channels(actor.team.id).find((one) => one.name === wanted && !one.is_private);
        return found ? `${before}<${sign}${found.id}|${name}>` : whole;
      });

  /** Shares a person's own uploads in the channel. */
  const shareFiles = (actor: Actor, channel: ChannelRecord, ids: readonly string[]): readonly string[] => {
    const files = ids.map((id) => core.world.file(id));
    if (files.length > 10 || files.some((file) => !file?.complete || file.deleted || file.user !== actor.person.id)) {
      throw new SandboxRefusal(400, 'file_not_found', 'a message has at most ten files of the person who writes it');
    }
    for (const file of files) {
      core.world.saveFile({ ...file!, channels: [...file!.channels, channel.id] });
    }
    return ids;
  };

  const invite = (actor: Actor, channel: ChannelRecord, user: string): void => {
    const person = core.world.person(user);
    if (!person || person.team !== actor.team.id) {
      throw new SandboxRefusal(404, 'user_not_found', `no person with the id ${user}`);
    }
    if (person.is_bot && !core.world.installOf(actor.team.id)) {
      throw new SandboxRefusal(400, 'user_not_found', 'the app is not installed');
    }
    if (isOutsider(person) && !channel.is_ext_shared) {
      throw new SandboxRefusal(400, 'not_in_team', `${person.name} is from another organisation`);
    }
    if (core.world.isMember(channel.id, user)) {
      throw new SandboxRefusal(400, 'already_in_channel', `${person.name} is in #${channel.name}`);
    }
    core.world.addMember(channel.id, user);
    announceState(actor);
  };

  const kick = (actor: Actor, channel: ChannelRecord, user: string): void => {
    if (!core.world.isMember(channel.id, user)) {
      throw new SandboxRefusal(400, 'not_in_channel', `${user} is not in #${channel.name}`);
    }
    core.world.removeMember(channel.id, user);
    announceState(actor);
  };

  /** Runs `/invite @scandesk` and `/remove @mia`; `undefined` for other commands. */
  const runBuiltIn = (actor: Actor, channel: ChannelRecord, command: string, text: string): SayResult | undefined => {
    if (command !== '/invite' && command !== '/remove') {
      return undefined;
    }
    const name = text.replace(/^@/, '').toLowerCase();
    const person = core.world.people(actor.team.id).find((one) => one.name === name);
    if (!person) {
      return { ok: false, error: 'user_not_found' };
    }
    (command === '/invite' ? invite : kick)(actor, channel, person.id);
    return { ok: true };
  };

  const runCommand = async (actor: Actor, channel: ChannelRecord, typedText: string): Promise<SayResult> => {
    const [, command = '', argumentText = ''] = /^(\S+)\s*([\s\S]*)$/.exec(typedText) ?? [];
    const builtInResult = runBuiltIn(actor, channel, command, argumentText);
    if (builtInResult) {
      return builtInResult;
    }
    const slashCommand = core.manifest.features.slash_commands?.find((one) => one.command === command);
    if (!slashCommand || !core.world.installOf(actor.team.id) || isOutsider(actor.person)) {
      return { ok: false, error: 'unknown_command' };
    }
    const target: ResponseTarget = {
      team: actor.team.id,
      channel: channel.id,
      user: actor.person.id,
      kind: 'command',
    };
    const response = await core.outbound.command({
      ...actor,
      channel,
      command,
      text: slashCommand.should_escape ? withMentions(actor, argumentText) : escapeText(argumentText),
      responseUrl: `${core.origin()}${core.responseUrls.make(target)}`,
      triggerId: core.triggers.make({ team: actor.team.id, user: actor.person.id, channel: channel.id }),
    });
    const failure = (error: string): SayResult => {
      core.streams.tell(actor.person.id, {
        type: 'notice',
        channel: channel.id,
        text: `${command} failed with the error "${error}"`,
      });
      return { ok: false, error, acknowledged_ms: response.ms };
    };
    if (!response.ok) {
      return failure(response.error);
    }
    try {
      takeCommandAnswer(core, target, response.contentType, response.body);
    } catch (thrown) {
      if (thrown instanceof SlackRefusal) {
        return failure(thrown.error);
      }
      throw thrown;
    }
    return { ok: true, acknowledged_ms: response.ms };
  };

  return {
    invite,
    kick,
    edit(actor, channel, ts, text) {
      const before = core.world.message(channel.id, ts);
      if (!before || before.user !== actor.person.id || before.ephemeral_for !== undefined) {
        throw new SandboxRefusal(403, 'cant_update_message', 'only messages of one’s own can be edited');
      }
      const edited = { user: actor.person.id, ts: core.world.stamp() };
      const after = { ...before, text: withMentions(actor, text.trim()), edited };
      changeMessage(core, after);
      tellApp(core, after, before);
    },
    async say(actor, request) {
      const channel = joinedChannel(core, actor, request.channel);
      if (channel.im_with !== undefined && isReadOnly(core)) {
        throw new SandboxRefusal(403, 'messages_tab_disabled', 'sending messages to this app is turned off');
      }
      // The text is trimmed, as by Slack's composer.
      const text = request.text.trim();
      const files = shareFiles(actor, channel, request.files ?? []);
      if (text === '' && files.length === 0) {
        throw new SandboxRefusal(400, 'no_text', 'the text is empty');
      }
      if (text.length > longestMessage) {
        throw new SandboxRefusal(400, 'msg_too_long', `more than ${longestMessage} characters`);
      }
      if (/^\/[a-z]/i.test(text) && files.length === 0) {
        return request.thread_ts === undefined
          ? runCommand(actor, channel, text)
          : { ok: false, error: 'not_supported_in_threads' };
      }
      const parent = request.thread_ts === undefined ? undefined : core.world.message(channel.id, request.thread_ts);
      if (request.thread_ts !== undefined && (!parent || parent.ephemeral_for !== undefined)) {
        throw new SandboxRefusal(404, 'thread_not_found', 'there is no such message to reply to');
      }
      const message = putMessage(core, {
        channel: channel.id,
        user: actor.person.id,
        text: withMentions(actor, text),
        ...(files.length > 0 ? { files } : {}),
        ...(parent ? { thread_ts: parent.thread_ts ?? parent.ts } : {}),
      });
      tellApp(core, message);
      const { bot_user: app } = actor.team;
      const isUnseen =
        channel.im_with === undefined && message.text.includes(`<@${app}`) && !core.world.isMember(channel.id, app);
      return { ok: true, ...(isUnseen ? { app_not_in_channel: true } : {}) };
    },
  };
}
