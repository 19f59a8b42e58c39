/** The command `/scandesk connect`, and the modal its buttons open too. */

import type { ModalView } from '../block-kit/elements.js';
import type { Subcommand } from '../bolt/routing/commands.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { connectForm, connectionView } from './connect-view.js';
import { liveStatus } from './connection.js';

export const connectTitle = 'Connection';

export const connect: Subcommand = {
  name: 'connect',
  usage: 'connect',
  description: 'Connect a scanning account, replace its API key or choose databases',
  role: 'manager',
  modalTitle: connectTitle,
  async run(context) {
    await context.modal.fill(connectTitle, () => connectionWindow(context));
  },
};

/** The form for a first key, else the connection's status and buttons. */
export async function connectionWindow({ deps, actor }: Pick<BaseContext, 'deps' | 'actor'>): Promise<ModalView> {
  const facts = await liveStatus(deps, actor.owner, { counters: false });
  return facts.connection
    ? connectionView(facts, { channel: actor.channelId })
    : connectForm({ channel: actor.channelId });
}
