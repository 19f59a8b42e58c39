/**
 * The command `/scandesk status` and its button: the connection, its databases, calls left and relays. It costs one
 * call, which also shows whether the key is still accepted, and another where the names of databases are not cached.
 */
import type { Subcommand } from '../bolt/routing/commands.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { opener } from '../bolt/routing/listeners.js';
import { scopeReport } from './scope-report.js';
import { liveStatus } from './status.js';
import { statusMessage, statusView } from './status-view.js';

export const status: Subcommand = {
  name: 'status',
  usage: 'status',
  description: 'Show the connection, API calls left and relays',
  role: 'everyone',
  async run({ deps, actor, client, respond }) {
    await respond(statusMessage(...(await loadStatus({ deps, actor, client }))));
  },
};

export const statusOpen = opener('status.open', {
  role: 'everyone',
  modalTitle: 'Status',
  view: async (context) => statusView(...(await loadStatus(context))),
});

function loadStatus({ deps, actor, client }: Pick<BaseContext, 'deps' | 'actor' | 'client'>) {
  return Promise.all([liveStatus(deps, actor.owner, { counters: true }), scopeReport(deps, client)]);
}
