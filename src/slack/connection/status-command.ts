/**
 * The command `/scandesk status`: the connection, its databases, calls left and relays.
 * It costs one call, which also shows whether the key is still accepted.
 */

import type { Subcommand } from '../bolt/routing/commands.js';
import { liveStatus } from './connection.js';
import { statusMessage } from './status-view.js';

export const status: Subcommand = {
  name: 'status',
  usage: 'status',
  description: 'Show the connection, API calls left and relays',
  role: 'everyone',
  async run({ deps, actor, respond }) {
    await respond(statusMessage(await liveStatus(deps, actor.owner, { counters: true })));
  },
};
