/** Options of the user group picker, by name or handle: Slack has no picker of its own for them. */
import { option } from '../../block-kit/elements.js';
import type { OptionsHandler } from '../../bolt/routing/context.js';
import { userGroups } from './user-groups.js';

export const userGroupOptions: OptionsHandler = {
  role: 'admin',
  async offer({ client, typed }) {
    const groups = await userGroups(client);
    return groups
      .filter((group) => group.name.toLowerCase().includes(typed.toLowerCase()))
      .map((group) => option(group.name, group.id));
  },
};
