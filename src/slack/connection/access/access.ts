/** The command `/scandesk access`, its button, and its form: who besides admins and owners may change settings. */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { WorkspaceSettings } from '../../../workspaces/types.js';
import { type ModalView, option } from '../../block-kit/elements.js';
import { bold, settled, textMessage } from '../../block-kit/text.js';
import { record } from '../../bolt/audit.js';
import { slackErrorCode } from '../../bolt/errors.js';
import type { Ineligible, RequiredRole } from '../../bolt/people/permissions.js';
import { savingView } from '../../bolt/problem/loading.js';
import type { Subcommand } from '../../bolt/routing/commands.js';
import type { BaseContext } from '../../bolt/routing/context.js';
import { modal, opener, opens, options } from '../../bolt/routing/listeners.js';
import { scopesMissedBy } from '../../bolt/scopes.js';
import { formStateIn } from '../../forms/view-state.js';
import { accessFields, accessForm, type NamedGroup, type NotListed } from './access-view.js';

export const accessTitle = 'Manage access';

export const access: Subcommand = {
  name: 'access',
  usage: 'access',
  description: 'Manage who can change settings (admins and owners only)',
  role: 'admin',
  ...opens(accessTitle, accessModal),
};

export const accessOpen = opener('access.open', { role: 'admin', modalTitle: accessTitle, view: accessModal });

/**
 * `enteredAccess`: submitted values that cannot be saved, shown in place of the saved ones. `doneText`: the notice of
 * the access that was just saved.
 */
export async function accessModal(
  { deps, actor, client, reference }: Pick<BaseContext, 'deps' | 'actor' | 'client' | 'reference'>,
  enteredAccess?: {
    readonly managers: NonNullable<WorkspaceSettings['managers']>;
    readonly ineligible: readonly Ineligible[];
  },
  doneText?: string,
): Promise<ModalView> {
  const managers = enteredAccess?.managers ?? (await deps.store.workspaces.settings(actor.owner)).managers;
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
  return accessForm({
    users: managers?.users ?? [],
    groups: namedGroups,
    notListed: notListed ?? (groups.length + namedGroups.length > 0 ? undefined : 'none'),
    channel: actor.channelId,
    ...(enteredAccess ? { ineligible: enteredAccess.ineligible } : {}),
    done: doneText,
  });
}

const notSaved = 'Access was not saved. Only full members can have access.';

export const accessSubmitted = modal('access', {
  role: 'admin',

  fields({ view }) {
    // Where the form had no field for groups, the saved ones stay.
    const { users = [], groups } = accessFields.read(formStateIn(view), {});
    return { show: savingView(accessTitle), input: { users, groups } };
  },

  async run(context, enteredAccess) {
    const { deps, actor, client, modal } = context;
    const managersBefore = (await deps.store.workspaces.settings(actor.owner)).managers;
    const managers = { users: enteredAccess.users, groups: enteredAccess.groups ?? managersBefore?.groups ?? [] };
    const ineligible = await deps.permissions.ineligible(client, actor.owner, managers.users);
    if (ineligible.length > 0) {
      const form = await accessModal(context, { managers, ineligible });
      if (!(await modal.show(form))) {
        await context.postPrivately(textMessage([bold(notSaved)]));
      }
      return;
    }
    await deps.store.workspaces.change(actor.owner, { managers });
    await record(context, { what: 'workspace/access', detail: { before: managersBefore ?? null, now: managers } });
    const hasNobody = managers.users.length === 0 && managers.groups.length === 0;
    const done = hasNobody ? 'Saved. Only admins and owners have access.' : 'Access updated. It applies right away.';
    await modal.showOutcome(await accessModal(context, undefined, done));
  },
});

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
