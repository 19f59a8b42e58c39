/** Lookups of a request's person, channel, message or open view. What the person could not see in Slack is rejected. */
import type { Container } from '../api.js';
import type { Option, Surroundings } from '../choice.js';
import type { Core } from '../core.js';
import { fileAsSlack } from '../files.js';
import { canSee } from '../people.js';
import { SandboxRefusal } from '../refusal.js';
import type { ViewRecord } from '../views.js';
import type { ChannelRecord, MessageRecord, PersonRecord, TeamRecord } from '../world/records.js';

export interface Actor {
  readonly person: PersonRecord;
  readonly team: TeamRecord;
}

/** The person with this id; the first team's first person if none is named. */
export function actorOf(core: Core, as: string | undefined): Actor {
  const first = core.world.teams()[0]!;
  const person = as === undefined ? core.world.people(first.id)[0] : core.world.person(as);
  if (!person || person.is_bot || person.deleted) {
    throw new SandboxRefusal(404, 'user_not_found', `no person with the id ${as}`);
  }
  return { person, team: core.world.team(person.team)! };
}

export function seenChannel(core: Core, { person }: Actor, id: string): ChannelRecord {
  const channel = core.world.channel(id);
  if (!channel || !canSee(core, person, channel)) {
    throw new SandboxRefusal(404, 'channel_not_found', `${person.name} sees no channel ${id}`);
  }
  return channel;
}

/** A channel in which the person can post. */
export function joinedChannel(core: Core, actor: Actor, id: string): ChannelRecord {
  const channel = seenChannel(core, actor, id);
  if (!core.world.isMember(id, actor.person.id)) {
    throw new SandboxRefusal(403, 'not_in_channel', `${actor.person.name} has not joined #${channel.name}`);
  }
  if (channel.is_archived) {
    throw new SandboxRefusal(403, 'is_archived', `#${channel.name} is archived`);
  }
  return channel;
}

export function seenMessage(core: Core, actor: Actor, channelId: string, ts: string): MessageRecord {
  const channel = seenChannel(core, actor, channelId);
  const message = core.world.message(channel.id, ts);
  if (!message || (message.ephemeral_for !== undefined && message.ephemeral_for !== actor.person.id)) {
    throw new SandboxRefusal(404, 'message_not_found', `${actor.person.name} sees no message ${ts} there`);
  }
  return message;
}

/** A view the person can act in: their Home tab, or the top modal. */
export function actableView(core: Core, { person }: Actor, id: string): ViewRecord {
  const top = core.views.stack(person.id).at(-1);
  const home = core.views.home(person.id);
  const found = [top, home].find((view) => view?.id === id);
  if (!found) {
    throw new SandboxRefusal(404, 'view_not_found', `${person.name} has no such view in front`);
  }
  return found;
}

export type ActionTarget =
  | { readonly type: 'view'; readonly view: ViewRecord }
  | { readonly type: 'message'; readonly message: MessageRecord; readonly channel: ChannelRecord };

/** Refuses if the app is uninstalled: it then receives nothing, even from messages and views still on screen. */
export function requireApp(core: Core, { team }: Actor): void {
  if (!core.world.installOf(team.id)) {
    throw new SandboxRefusal(409, 'not_installed', 'the app is not installed in this workspace');
  }
}

export function targetIn(core: Core, actor: Actor, container: Container): ActionTarget {
  requireApp(core, actor);
  if (container.type === 'view') {
    return { type: 'view', view: actableView(core, actor, container.view_id) };
  }
  const message = seenMessage(core, actor, container.channel, container.ts);
  if (!message.by_app) {
    throw new SandboxRefusal(400, 'not_from_app', 'a person wrote that message');
  }
  return { type: 'message', message, channel: core.world.channel(message.channel)! };
}

/** The key under which a select's offered options are stored. */
export const offeredKey = (...names: readonly string[]): string => JSON.stringify(names);

export function surroundings(
  core: Core,
  actor: Actor,
  offeredOf: (blockId: string, actionId: string) => readonly Option[],
): Surroundings {
  return {
    isPerson: (id) => core.world.person(id)?.team === actor.team.id,
    conversation(id) {
      const channel = core.world.channel(id);
      return channel && canSee(core, actor.person, channel) ? channel : undefined;
    },
    offeredOptions: offeredOf,
    file(id) {
      const file = core.world.file(id);
      return file?.complete && file.user === actor.person.id ? fileAsSlack(core, file) : undefined;
    },
  };
}
