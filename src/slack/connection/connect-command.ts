/** The command `/scandesk connect`, and the modal its buttons open too. */

import type { ModalView } from '../block-kit/elements.js';
import type { Subcommand } from '../bolt/routing/commands.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { connectForm, connectionView } from './connect-view.js';
import { askedFacts } from './connection.js';

export const connectTitle = 'Connection';

export const connect: Subcommand = {
  name: 'connect',
  usage: 'connect',
  describes: 'connects a scanning account, or changes which databases a lookup asks',
  who: 'manager',
  opens: connectTitle,
  async run(context) {
    await context.window.fill(connectTitle, () => connectionWindow(context));
  },
};

/** The form for a first key, else the connection's status and buttons. */
export async function connectionWindow({ deps, asker }: Pick<BaseContext, 'deps' | 'asker'>): Promise<ModalView> {
  const facts = await askedFacts(deps, asker.owner, { counters: false });
  return facts.connection
    ? connectionView(facts, { channel: asker.channelId })
    : connectForm({ channel: asker.channelId });
}
