/** The command `/scandesk disconnect`, and the confirmation its button opens too. */

import type { ModalView } from '../block-kit/elements.js';
import { noticeView } from '../bolt/problem/notice.js';
import type { Subcommand } from '../bolt/routing/commands.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { disconnectForm } from './connect-view.js';

export const disconnectTitle = 'Disconnect account';

export const disconnect: Subcommand = {
  name: 'disconnect',
  usage: 'disconnect',
  description: 'Disconnect the account and delete its API key',
  role: 'manager',
  modalTitle: disconnectTitle,
  async run(context) {
    await context.modal.fill(disconnectTitle, () => disconnectWindow(context));
  },
};

export async function disconnectWindow({ deps, actor }: Pick<BaseContext, 'deps' | 'actor'>): Promise<ModalView> {
  const [connection, relays] = await Promise.all([
    deps.store.workspaces.connection(actor.owner),
    deps.relays.list(actor.owner),
  ]);
  return connection
    ? disconnectForm(connection, relays.length, { channel: actor.channelId })
    : noticeView('Not connected', 'No account is connected, so there is nothing to disconnect.');
}
