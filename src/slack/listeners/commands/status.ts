/**
 * Owns `/scandesk status`: what is connected, by whom, since when, and how many calls are left. It spends one call,
 * which also tells whether the key is still good.
 */
import { statusMessage } from '../../blocks/status.js';
import { askedFacts } from '../../connection.js';
import type { Subcommand } from './table.js';

export const status: Subcommand = {
  name: 'status',
  usage: 'status',
  describes: 'tells what is connected, by whom, since when, and how many calls are left',
  who: 'everyone',
  async run({ deps, asker, respond }) {
    await respond(statusMessage(await askedFacts(deps, asker.owner, { counters: true })));
  },
};
