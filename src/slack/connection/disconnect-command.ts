/** The command `/scandesk disconnect`, and the confirmation its button opens too. */

import type { ModalView } from '../block-kit/elements.js';
import { noticeView } from '../bolt/problem/notice.js';
import type { Subcommand } from '../bolt/routing/commands.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { disconnectForm } from './connect-view.js';

export const disconnectTitle = 'Disconnect?';

export const disconnect: Subcommand = {
  name: 'disconnect',
  usage: 'disconnect',
  describes: 'forgets the API key, after asking you once more',
  who: 'manager',
  opens: disconnectTitle,
  async run(context) {
    await context.window.fill(disconnectTitle, () => disconnectWindow(context));
  },
};

export async function disconnectWindow({ deps, asker }: Pick<BaseContext, 'deps' | 'asker'>): Promise<ModalView> {
  const [connection, relays] = await Promise.all([
    deps.store.workspaces.connection(asker.owner),
    deps.relays.list(asker.owner),
  ]);
  return connection
    ? disconnectForm(connection, relays.length, { channel: asker.channelId })
    : noticeView('Not connected', 'No account is connected, so there is nothing to forget.');
}
