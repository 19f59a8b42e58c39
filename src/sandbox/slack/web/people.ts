/**
 * The methods about people, user groups, the team, the bot and the token: users.*, usergroups.*, team.info, bots.info,
 * auth.*.
 */
import { z } from 'zod';
import { userAsSlack } from '../people.js';
import { SlackRefusal } from '../refusal.js';
import { bool, positionOf, str, toCursor, whole } from './args.js';
import { knownPerson, type Method, method, openMethod, pageOf } from './method.js';

export function peopleMethods(listener: { revoked: (team: string) => void }): readonly Method[] {
  return [
    openMethod('api.test', { tier: 0, args: z.looseObject({}) }, (_visitor, args) => {
      if (args.error !== undefined) {
        throw new SlackRefusal(String(args.error), { args });
      }
      return { args };
    }),

    method('auth.test', { tier: 0, args: z.strictObject({}) }, ({ core, team }) => ({
      url: `${core.origin()}/`,
      team: team.name,
      user: core.world.person(team.bot_user)?.name,
      team_id: team.id,
      user_id: team.bot_user,
      bot_id: team.bot_id,
      ...(core.organisation ? { enterprise_id: core.organisation.id } : {}),
      is_enterprise_install: core.organisation !== undefined,
    })),

    method('auth.revoke', { tier: 50, args: z.strictObject({ test: bool.optional() }) }, ({ team }, args) => {
      if (!args.test) {
        listener.revoked(team.id);
      }
      return { revoked: !args.test };
    }),

    method(
      'team.info',
      { scopes: ['team:read'], tier: 50, args: z.strictObject({ team: str.optional(), domain: str.optional() }) },
      ({ core, team }, args) => {
        if (args.team !== undefined && args.team !== team.id) {
          throw new SlackRefusal('team_not_found');
        }
        return {
          team: {
            id: team.id,
            name: team.name,
            url: `${core.origin()}/`,
            domain: team.domain,
            email_domain: '',
            icon: { image_default: true },
          },
        };
      },
    ),

    method(
      'bots.info',
      { scopes: ['users:read'], tier: 50, args: z.strictObject({ bot: str.optional() }) },
      ({ core, team }, args) => {
        if (args.bot !== undefined && args.bot !== team.bot_id) {
          throw new SlackRefusal('bot_not_found');
        }
        return {
          bot: {
            id: team.bot_id,
            deleted: false,
            name: core.manifest.features.bot_user.display_name,
            updated: 1_700_000_000,
            app_id: core.appId,
            user_id: team.bot_user,
          },
        };
      },
    ),

    method(
      'users.info',
      { scopes: ['users:read'], tier: 100, args: z.strictObject({ user: str, include_locale: bool.optional() }) },
      (caller, args) => {
        const withEmail = caller.install.scopes.includes('users:read.email');
        return { user: userAsSlack(caller.core, caller.team, knownPerson(caller, args.user), withEmail) };
      },
    ),

    method(
      'users.list',
      {
        scopes: ['users:read'],
        tier: 20,
        args: z.strictObject({
          limit: whole(0, 1000).optional(),
          cursor: z.string().optional(),
          include_locale: bool.optional(),
        }),
      },
      ({ core, team, install }, args) => {
        const withEmail = install.scopes.includes('users:read.email');
        const { page, next } = pageOf(core.world.people(team.id), args.limit || 1000, positionOf(args.cursor));
        return {
          members: page.map((person) => userAsSlack(core, team, person, withEmail)),
          cache_ts: Math.floor(core.clock.now() / 1000),
          response_metadata: { next_cursor: next === undefined ? '' : toCursor(next) },
        };
      },
    ),

    method(
      'usergroups.list',
      {
        scopes: ['usergroups:read'],
        tier: 20,
        args: z.strictObject({
          include_users: bool.optional(),
          include_count: bool.optional(),
          include_disabled: bool.optional(),
        }),
      },
      ({ core, team }, args) => ({
        usergroups: core.world.groups(team.id).map((group) => ({
          id: group.id,
          team_id: team.id,
          is_usergroup: true,
          name: group.name,
          handle: group.handle,
          description: '',
          is_external: false,
          date_create: 1_700_000_000,
          date_delete: 0,
          ...(args.include_users ? { users: group.users } : {}),
          ...(args.include_count ? { user_count: group.users.length } : {}),
        })),
      }),
    ),

    method(
      'usergroups.users.list',
      {
        scopes: ['usergroups:read'],
        tier: 20,
        args: z.strictObject({ usergroup: str, include_disabled: bool.optional() }),
      },
      ({ core, team }, args) => {
        const group = core.world.groups(team.id).find((one) => one.id === args.usergroup);
        if (!group) {
          throw new SlackRefusal('no_such_subteam');
        }
        return { users: group.users };
      },
    ),
  ];
}
