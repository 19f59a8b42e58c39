/** The command `/scandesk connect`, its buttons, and the modal they open. */
import type { ModalView } from '../block-kit/elements.js';
import type { ViewNotice } from '../block-kit/notice.js';
import type { Subcommand } from '../bolt/routing/commands.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { action, opener, opens } from '../bolt/routing/listeners.js';
import { connectForm, connectionView } from './connect-view.js';
import { liveStatus } from './status.js';

export const connectTitle = 'Connection';

export const connect: Subcommand = {
  name: 'connect',
  usage: 'connect',
  description: 'Connect a scanning account, replace its API key or choose databases',
  role: 'manager',
  ...opens(connectTitle, connectionModal),
};

export const connectOpen = opener('connect.open', { role: 'manager', modalTitle: connectTitle, view: connectionModal });

export const connectReplace = action('connect.replace', {
  role: 'manager',
  run: async (context) => {
    const { deps, actor, modal } = context;
    const replaces = await deps.store.workspaces.connection(actor.owner);
    await modal.show(connectForm({ replaces, channel: actor.channelId }));
  },
});

/** The form for the first API key, else the connection's status and buttons. */
export async function connectionModal(
  { deps, actor }: Pick<BaseContext, 'deps' | 'actor'>,
  changed: { readonly notice?: ViewNotice; readonly fresh?: boolean } = {},
): Promise<ModalView> {
  const facts = await liveStatus(deps, actor.owner, { counters: false });
  return facts.connection
    ? connectionView(facts, { channel: actor.channelId, ...changed })
    : connectForm({ channel: actor.channelId });
}
