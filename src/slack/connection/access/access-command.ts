/** The command `/scandesk access`: who besides admins and owners may change things. */

import type { WorkspaceSettings } from '../../../workspaces/types.js';
import type { ModalView } from '../../block-kit/elements.js';
import type { Ineligible } from '../../bolt/people/permissions.js';
import type { Subcommand } from '../../bolt/routing/commands.js';
import type { BaseContext } from '../../bolt/routing/context.js';
import { accessForm, type NamedGroup } from './access-view.js';
import { userGroups } from './user-groups.js';

export const accessTitle = 'Manage access';

export const access: Subcommand = {
  name: 'access',
  usage: 'access',
  description: 'Manage who can change settings (admins and owners only)',
  role: 'admin',
  modalTitle: accessTitle,
  async run(context) {
    await context.modal.fill(accessTitle, () => accessWindow(context));
  },
};

/** `entered`: submitted values that cannot be saved; without them the saved ones are shown. */
export async function accessWindow(
  { deps, actor, client, reference }: Pick<BaseContext, 'deps' | 'actor' | 'client' | 'reference'>,
  entered?: {
    readonly managers: NonNullable<WorkspaceSettings['managers']>;
    readonly ineligible: readonly Ineligible[];
  },
): Promise<ModalView> {
  const managers = entered?.managers ?? (await deps.store.workspaces.settings(actor.owner)).managers;
  const groups = await userGroups(client).catch((error: unknown) => {
    // Plans without user groups answer with an error; people can be named all the same.
    deps.log.info({ err: error, reference }, 'user groups could not be listed');
    return undefined;
  });
  const named = (managers?.groups ?? []).map(
    (id): NamedGroup => groups?.find((group) => group.id === id) ?? { id, name: id },
  );
  return accessForm({
    users: managers?.users ?? [],
    groups: named,
    groupsOffered: groups !== undefined && (groups.length > 0 || named.length > 0),
    channel: actor.channelId,
    ...(entered ? { ineligible: entered.ineligible } : {}),
  });
}
