/** Options of the user group picker, by name or handle: Slack has no picker of its own for them. */

import { option } from '../../block-kit/elements.js';
import { options } from '../../bolt/routing/listeners.js';
import { userGroups } from './user-groups.js';

export const userGroupOptions = options('access.groups', {
  role: 'admin',
  async offer({ client, typed }) {
    const groups = await userGroups(client);
    return groups
      .filter((group) => group.name.toLowerCase().includes(typed.toLowerCase()))
      .map((group) => option(group.name, group.id));
  },
});
