/** The submission that deletes the API key, once a person has confirmed it. */

import { message } from '../block-kit/elements.js';
import { bold, code, richText, textElement } from '../block-kit/text.js';
import { record } from '../bolt/audit.js';
import { savingView } from '../bolt/problem/loading.js';
import { noticeView } from '../bolt/problem/notice.js';
import { modal } from '../bolt/routing/listeners.js';
import { disconnectTitle } from './disconnect-command.js';

export const disconnectSubmitted = modal('disconnect', {
  role: 'manager',

  fields: () => ({ show: savingView(disconnectTitle, 'Deleting the API key…'), input: undefined }),

  async run(context) {
    const { deps, actor, modal } = context;
    // A key that cannot be unsealed must be deleted all the same.
    const apiKey = await deps.store.workspaces.apiKey(actor.owner).catch(() => undefined);
    const was = await deps.store.workspaces.disconnect(actor.owner);
    if (apiKey !== undefined) {
      deps.accounts.forget(apiKey);
    }
    await record(context, { what: 'workspace/disconnect', detail: { hadKey: was } });
    const what = was ? 'The API key was deleted.' : 'No account was connected.';
    const next = [textElement('Connect another account with '), code('/scandesk connect'), textElement('.')];
    if (!(await modal.showOutcome(noticeView('Disconnected', what, next)))) {
      await context.postPrivately(message(what, [richText([bold(what)], next)]));
    }
    await context.deps.connectionChanged(context);
  },
});
