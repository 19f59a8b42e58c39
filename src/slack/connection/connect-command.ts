/**
 * Owns `/scandesk connect` and the buttons that lead to the same windows.
 */

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

/** The form for a key when there is none yet, else how the connection stands and what can be changed. */
export async function connectionWindow({ deps, asker }: Pick<BaseContext, 'deps' | 'asker'>): Promise<ModalView> {
  const facts = await askedFacts(deps, asker.owner, { counters: false });
  return facts.connection
    ? connectionView(facts, { channel: asker.channelId })
    : connectForm({ channel: asker.channelId });
}
