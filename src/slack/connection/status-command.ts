/**
 * The command `/scandesk status` and its button: the connection, its databases, calls left and relays.
 * It costs one call, which also shows whether the key is still accepted.
 */

import type { Subcommand } from '../bolt/routing/commands.js';
import { action } from '../bolt/routing/listeners.js';
import { liveStatus } from './status.js';
import { statusMessage, statusView } from './status-view.js';

export const status: Subcommand = {
  name: 'status',
  usage: 'status',
  description: 'Show the connection, API calls left and relays',
  role: 'everyone',
  async run({ deps, actor, respond }) {
    await respond(statusMessage(await liveStatus(deps, actor.owner, { counters: true })));
  },
};

export const statusOpen = action('status.open', {
  role: 'everyone',
  modalTitle: 'Status',
  run: async (context) => {
    const { deps, actor } = context;
    await context.modal.fill('Status', async () => statusView(await liveStatus(deps, actor.owner, { counters: true })));
  },
});
