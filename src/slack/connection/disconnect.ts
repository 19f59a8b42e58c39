/** The command `/scandesk disconnect`, its button, and the confirmation that deletes the API key. */
import { type ModalView, message } from '../block-kit/elements.js';
import { bold, code, richText } from '../block-kit/text.js';
import { record } from '../bolt/audit.js';
import { savingView } from '../bolt/problem/loading.js';
import { noticeView } from '../bolt/problem/notice.js';
import type { Subcommand } from '../bolt/routing/commands.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { modal, opener, opens } from '../bolt/routing/listeners.js';
import { connectForm, disconnectForm } from './connect-view.js';

export const disconnectTitle = 'Disconnect account';

export const disconnect: Subcommand = {
  name: 'disconnect',
  usage: 'disconnect',
  description: 'Disconnect the account and delete its API key',
  role: 'manager',
  ...opens(disconnectTitle, disconnectModal),
};

export const disconnectOpen = opener('disconnect.open', {
  role: 'manager',
  modalTitle: disconnectTitle,
  view: disconnectModal,
});

export async function disconnectModal({ deps, actor }: Pick<BaseContext, 'deps' | 'actor'>): Promise<ModalView> {
  const [connection, relays] = await Promise.all([
    deps.store.workspaces.connection(actor.owner),
    deps.relays.list(actor.owner),
  ]);
  return connection
    ? disconnectForm(connection, relays.length, { channel: actor.channelId })
    : noticeView('Not connected', 'No account is connected, so there is nothing to disconnect.');
}

export const disconnectSubmitted = modal('disconnect', {
  role: 'manager',

  fields: () => ({ show: savingView(disconnectTitle, 'Deleting the API key…'), input: undefined }),

  async run(context) {
    const { deps, actor, modal } = context;
    // A key that cannot be unsealed must be deleted all the same.
    const apiKey = await deps.store.workspaces.apiKey(actor.owner).catch(() => undefined);
    const oldConnection = await deps.store.workspaces.disconnect(actor.owner);
    if (apiKey !== undefined) {
      deps.accounts.forget(apiKey);
    }
    // The mirror of the account is erased in the background.
    deps.mirror?.wake();
    await record(context, { what: 'workspace/disconnect', detail: { hadKey: oldConnection } });
    const outcomeText = oldConnection ? 'Disconnected. The API key was deleted.' : 'No account was connected.';
    if (!(await modal.showOutcome(connectForm({ notice: { done: outcomeText }, channel: actor.channelId })))) {
      const next = ['Connect another account with ', code('/scandesk connect'), '.'];
      await context.postPrivately(message(outcomeText, [richText([bold(outcomeText)], next)]));
    }
    await context.deps.connectionChanged(context);
  },
});
