/** The command `/scandesk access`, its button, and its form: who besides admins and owners may change settings. */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { option } from '../../block-kit/elements.js';
import { settled } from '../../block-kit/text.js';
import { record } from '../../bolt/audit.js';
import { slackErrorCode } from '../../bolt/errors.js';
import type { RequiredRole } from '../../bolt/people/permissions.js';
import type { Subcommand } from '../../bolt/routing/commands.js';
import { opener, opens, options } from '../../bolt/routing/listeners.js';
import { scopesMissedBy } from '../../bolt/scopes.js';
import { assertUnchanged, type FormScope, formOrigin, settingsForm } from '../../forms/settings-form.js';
import { accessBlocks, accessFields, IneligiblePeople, type NamedGroup, type NotListed } from './access-view.js';

export const accessTitle = 'Manage access';

const accessWindow = settingsForm({
  id: 'access',
  title: accessTitle,
  role: 'admin',
  metadata: z.object(formOrigin),
  async load({ deps, actor, client, reference }) {
    const { managers } = await deps.store.workspaces.settings(actor.owner);
    let notListed: NotListed | undefined;
    const groups = await userGroups(client).catch((error: unknown) => {
      deps.log.info({ err: error, reference }, 'user groups could not be listed');
      const missing = scopesMissedBy(error);
      notListed = missing ? { missing } : slackErrorCode(error) === 'paid_teams_only' ? 'none' : 'failed';
      return [];
    });
    const namedGroups = (managers?.groups ?? []).map(
      (id): NamedGroup => groups.find((group) => group.id === id) ?? { id, name: id },
    );
    return {
      managers,
      namedGroups,
      notListed: notListed ?? (groups.length + namedGroups.length > 0 ? undefined : ('none' as const)),
    };
  },
  form: () => accessFields,
  source: ({ managers, namedGroups }) => ({ users: managers?.users ?? [], groups: namedGroups }),
  part: ({ managers }) => managers ?? null,
  draw: (draft, { subject: { notListed }, problem }) => accessBlocks(draft, { notListed, problem }),
  stays: () => true,
  async save(context, { users = [], groups }) {
    const { deps, actor, client, metadata } = context;
    const before = (await deps.store.workspaces.settings(actor.owner)).managers;
    assertUnchanged(before ?? null, metadata.seen);
    // Where the form had no field for groups, the saved ones stay.
    const managers = { users: [...users], groups: [...(groups ?? before?.groups ?? [])] };
    const ineligible = await deps.permissions.ineligible(client, actor.owner, managers.users);
    if (ineligible.length > 0) {
      throw new IneligiblePeople(ineligible);
    }
    await deps.store.workspaces.change(actor.owner, { managers });
    await record(context, { what: 'workspace/access', detail: { before: before ?? null, now: managers } });
    const hasNobody = managers.users.length === 0 && managers.groups.length === 0;
    return {
      done: hasNobody ? 'Saved. Only admins and owners have access.' : 'Access updated. It applies right away.',
    };
  },
});

const accessModal = (context: FormScope) => accessWindow.open(context, {});

export const access: Subcommand = {
  name: 'access',
  usage: 'access',
  description: 'Manage who can change settings (admins and owners only)',
  role: 'admin',
  ...opens(accessTitle, accessModal),
};

export const accessOpen = opener('access.open', { role: 'admin', modalTitle: accessTitle, view: accessModal });
export const accessSubmitted = accessWindow.submitted;

const answer = z.object({
  usergroups: z.array(z.object({ id: z.string(), name: z.string(), handle: z.string().optional() })).default([]),
});

export async function userGroups(client: WebClient): Promise<readonly NamedGroup[]> {
  const { usergroups } = answer.parse(await client.usergroups.list());
  return usergroups.map(({ id, name, handle }) => ({ id, name: handle ? `${name} (@${handle})` : name }));
}

/** The picker of user groups, by its `action_id`. */
export const userGroupPicker = (id: string, role: RequiredRole) =>
  options(id, {
    role,
    async offer({ client, typed }) {
      const groups = await userGroups(client);
      return groups
        .filter((group) => group.name.toLowerCase().includes(typed.toLowerCase()))
        .map((group) => option(settled(group.name), group.id));
    },
  });
