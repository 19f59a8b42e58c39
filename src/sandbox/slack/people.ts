/** Visibility of channels and people, and their shape for Slack's API and for the page. */
import type { Channel, Person } from './api.js';
import type { Core } from './core.js';
import type { ChannelRecord, PersonRecord, TeamRecord } from './world/records.js';

export const isGuest = (person: PersonRecord): boolean => person.is_restricted || person.is_ultra_restricted;
export const isOutsider = (person: PersonRecord): boolean => person.home_team !== person.team;

/** Guests and external people see only the channels they are in; members see every public channel too. */
export function canSee(core: Pick<Core, 'world'>, person: PersonRecord, channel: ChannelRecord): boolean {
  if (channel.team !== person.team) {
    return false;
  }
  if (core.world.isMember(channel.id, person.id)) {
    return true;
  }
  return !channel.is_private && !isGuest(person) && !isOutsider(person) && !person.is_bot;
}

export function personShown(person: PersonRecord): Person {
  return {
    id: person.id,
    name: person.name,
    real_name: person.real_name,
    is_admin: person.is_admin,
    is_owner: person.is_owner,
    is_bot: person.is_bot,
    is_guest: isGuest(person),
    is_external: isOutsider(person),
    tz: person.tz,
    color: person.color,
  };
}

export function channelShown(core: Pick<Core, 'world'>, team: TeamRecord, channel: ChannelRecord): Channel {
  const members = core.world.members(channel.id);
  return {
    id: channel.id,
    name: channel.im_with === undefined ? channel.name : (core.world.person(team.bot_user)?.real_name ?? ''),
    is_private: channel.is_private,
    is_im: channel.is_im,
    is_ext_shared: channel.is_ext_shared,
    is_archived: channel.is_archived,
    app_is_member: members.includes(team.bot_user),
    members,
  };
}

/** A zone's offset. Minutes are precise enough: no current zone has seconds. */
function offsetSeconds(zone: string, at: number): number {
  const name =
    new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
      .formatToParts(at)
      .find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  const match = /GMT([+-])(\d\d):(\d\d)/.exec(name);
  return match ? (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 3600 + Number(match[3]) * 60) : 0;
}

/** The person as users.info has it. */
export function userAsSlack(
  core: Pick<Core, 'world' | 'clock' | 'organisation'>,
  team: TeamRecord,
  person: PersonRecord,
  withEmail: boolean,
): Record<string, unknown> {
  const sharesChannel = core.world.channels(team.id).some((channel) => {
    const members = core.world.members(channel.id);
    return members.includes(person.id) && members.includes(team.bot_user);
  });
  return {
    id: person.id,
    team_id: person.home_team,
    name: person.name,
    deleted: person.deleted === true,
    color: person.color.slice(1),
    real_name: person.real_name,
    tz: person.tz,
    tz_label: person.tz,
    tz_offset: offsetSeconds(person.tz, core.clock.now()),
    profile: {
      title: '',
      real_name: person.real_name,
      real_name_normalized: person.real_name,
      display_name: person.name,
      display_name_normalized: person.name,
      team: person.home_team,
      ...(withEmail && !person.is_bot ? { email: `${person.name}@example.com` } : {}),
    },
    is_admin: person.is_admin,
    is_owner: person.is_owner,
    is_primary_owner: person.is_owner,
    is_restricted: person.is_restricted,
    is_ultra_restricted: person.is_ultra_restricted,
    is_bot: person.is_bot,
    is_app_user: false,
    is_stranger: isOutsider(person) && !sharesChannel,
    updated: 1_700_000_000,
    is_email_confirmed: !person.is_bot,
    ...(core.organisation && !isOutsider(person)
      ? {
          enterprise_user: {
            id: person.id,
            enterprise_id: core.organisation.id,
            enterprise_name: core.organisation.name,
            is_admin: false,
            is_owner: false,
            teams: [person.team],
          },
        }
      : {}),
  };
}

/** The channel as conversations.info has it. */
export function channelAsSlack(
  core: Pick<Core, 'world'>,
  team: TeamRecord,
  channel: ChannelRecord,
  withCount = false,
): Record<string, unknown> {
  const members = core.world.members(channel.id);
  if (channel.is_im) {
    return {
      id: channel.id,
      created: channel.created,
      is_im: true,
      is_archived: false,
      is_org_shared: false,
      context_team_id: team.id,
      user: channel.im_with,
      is_open: true,
    };
  }
  return {
    id: channel.id,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: true,
    is_group: false,
    is_im: false,
    is_mpim: false,
    is_private: channel.is_private,
    created: channel.created,
    is_archived: channel.is_archived,
    is_general: channel.is_general,
    is_shared: channel.is_ext_shared,
    is_ext_shared: channel.is_ext_shared,
    is_org_shared: false,
    is_pending_ext_shared: false,
    pending_shared: [],
    context_team_id: team.id,
    creator: channel.creator,
    is_member: members.includes(team.bot_user),
    topic: { value: channel.topic, creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    previous_names: [],
    ...(channel.is_ext_shared
      ? { shared_team_ids: [...new Set(members.map((id) => core.world.person(id)?.home_team ?? team.id))] }
      : {}),
    ...(withCount ? { num_members: members.length } : {}),
  };
}
