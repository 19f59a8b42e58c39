/** The command `/scandesk limits`: the account's counters, for one call; the last known ones when none is left. */
import { retrieveLimits } from '../../codereadr/operations/index.js';
import { AccountError } from '../../codereadr/types.js';
import type { Subcommand } from '../bolt/routing/commands.js';
import { accountOf } from './connection.js';
import { limitsMessage } from './limits-message.js';

export const limits: Subcommand = {
  name: 'limits',
  usage: 'limits',
  description: 'Show API calls left and when they reset',
  role: 'everyone',
  async run({ deps, actor, respond }) {
    const { client } = await accountOf(deps, actor.owner);
    const usedUp = await client.call(retrieveLimits, {}).then(
      () => false,
      (error: unknown) => {
        if (error instanceof AccountError && error.code === 'account.quota') return true;
        throw error;
      },
    );
    await respond(limitsMessage(client.callsLeft(), usedUp));
  },
};
