/** The submission that saves whom an admin named to change things. */

import { message } from '../../block-kit/elements.js';
import { bold, richText, textElement } from '../../block-kit/text.js';
import { choicesIn, usersIn } from '../../block-kit/view-state.js';
import { record } from '../../bolt/audit.js';
import { savingView } from '../../bolt/problem/loading.js';
import { noticeView } from '../../bolt/problem/notice.js';
import type { Acknowledged } from '../../bolt/routing/context.js';
import { modal } from '../../bolt/routing/listeners.js';
import { accessTitle, accessWindow } from './access-command.js';

interface Named {
  readonly users: readonly string[];
  /** Undefined: the form had no field for groups, so the saved ones stay. */
  readonly groups: readonly string[] | undefined;
}

const notSaved = 'Access was not saved. Only full members can have access.';

export const accessSubmitted = modal('access', {
  role: 'admin',

  fields({ view }): Acknowledged<Named> {
    const offered = view.state.values.groups !== undefined;
    return {
      show: savingView(accessTitle),
      input: {
        users: usersIn(view, 'users', 'access.users'),
        groups: offered ? choicesIn(view, 'groups', 'access.groups') : undefined,
      },
    };
  },

  async run(context, named) {
    const { deps, actor, client, modal } = context;
    const before = (await deps.store.workspaces.settings(actor.owner)).managers;
    const managers = { users: named.users, groups: named.groups ?? before?.groups ?? [] };
    const ineligible = await deps.permissions.ineligible(client, actor.owner, managers.users);
    if (ineligible.length > 0) {
      const form = await accessWindow(context, { managers, ineligible });
      if (!(await modal.show(form))) {
        await context.postPrivately(message(notSaved, [richText([bold(notSaved)])]));
      }
      return;
    }
    await deps.store.workspaces.change(actor.owner, { managers });
    await record(context, { what: 'workspace/access', detail: { before: before ?? null, now: managers } });
    const nobody = managers.users.length === 0 && managers.groups.length === 0;
    await modal.show(
      noticeView('Saved', nobody ? 'Only admins and owners have access.' : 'Access updated.', [
        textElement(nobody ? 'Everyone else can look up barcodes.' : 'It applies right away.'),
      ]),
    );
  },
});
