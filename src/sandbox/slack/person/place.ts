/** The page's state around the messages: the workspace as one person sees it, new channels, files. */
import type { ServerResponse } from 'node:http';
import type { Channel, WorkspaceState } from '../api.js';
import type { Core } from '../core.js';
import { send } from '../http.js';
import { newId } from '../ids.js';
import { canSee, channelShown, isGuest, isOutsider, personShown } from '../people.js';
import { SandboxRefusal } from '../refusal.js';
import { triggerPath } from '../web/workflows.js';
import { channelRecord } from '../world/records.js';
import { workflows } from '../world/seed.js';
import type { Actor } from './who.js';

/** Whether the app's Messages tab is read-only, as a manifest can make it. */
export const isReadOnly = (core: Core): boolean =>
  core.manifest.features.app_home?.messages_tab_read_only_enabled === true;

export function stateFor(core: Core, actor: Actor): WorkspaceState {
  const { person, team } = actor;
  const install = core.world.installOf(team.id);
  const installed = install !== undefined;
  const { features, display_information: appInfo } = core.manifest;
  return {
    team: { id: team.id, name: team.name },
    me: personShown(person),
    people: core.world.people(team.id).map(personShown),
    channels: core.world
      .channels(team.id)
      .filter((channel) => canSee(core, person, channel))
      .map((channel) => channelShown(core, team, channel)),
    commands:
      installed && !isOutsider(person)
        ? (features.slash_commands ?? []).map(({ command, description, usage_hint }) => ({
            command,
            description,
            ...(usage_hint === undefined ? {} : { usage_hint }),
          }))
        : [],
    shortcuts:
      installed && !isOutsider(person)
        ? (features.shortcuts ?? []).map(({ name, type, callback_id }) => ({ name, type, callback_id }))
        : [],
    workflows: workflows
      .filter((workflow) => workflow.team === team.id && !isGuest(person) && !isOutsider(person))
      .map(({ name }) => ({ name, url: `${core.origin()}${triggerPath(core, team.id)}` })),
    app: {
      name: appInfo.name,
      bot_user_id: team.bot_user,
      ...(install ? { installed_at: install.installed_at } : {}),
      done: install ? core.world.done(team.id, install.installed_at) : [],
      read_only: isReadOnly(core),
    },
  };
}

export function makeChannel(core: Core, actor: Actor, channelName: string, isPrivate: boolean): Channel {
  if (isGuest(actor.person) || isOutsider(actor.person)) {
    throw new SandboxRefusal(403, 'restricted_action', 'guests cannot create channels');
  }
  if (!/^[a-z0-9_-]{1,80}$/.test(channelName)) {
    throw new SandboxRefusal(400, 'invalid_name', 'a name has up to 80 lowercase letters, numbers, - and _');
  }
  if (core.world.channels(actor.team.id).some((channel) => channel.name === channelName)) {
    throw new SandboxRefusal(400, 'name_taken', `#${channelName} already exists`);
  }
  const channel = channelRecord({
    id: newId(core.random, 'C'),
    team: actor.team.id,
    name: channelName,
    creator: actor.person.id,
    created: Math.floor(core.clock.now() / 1000),
    is_private: isPrivate,
  });
  core.world.saveChannel(channel);
  core.world.addMember(channel.id, actor.person.id);
  core.streams.tellAll({ type: 'state' }, (id) => core.world.person(id)?.team === actor.team.id);
  return channelShown(core, actor.team, channel);
}

/** Sends a file to a person of its team, with headers that keep the file from running as a page. */
export function sendFile(core: Core, actor: Actor, id: string, res: ServerResponse): void {
  const file = core.world.file(id);
  if (!file || file.team !== actor.team.id || !file.complete || file.deleted) {
    throw new SandboxRefusal(404, 'file_not_found', `there is no file ${id}`);
  }
  const inline = file.mimetype.startsWith('image/');
  send(res, 200, inline ? file.mimetype : 'application/octet-stream', core.world.fileContent(id), {
    'content-security-policy': "default-src 'none'; sandbox",
    'content-disposition': `${inline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
  });
}
