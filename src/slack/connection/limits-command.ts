/** The command `/scandesk limits`: the account's counters, for one call; the last known ones when none is left. */
import { retrieveLimits } from '../../codereadr/operations/index.js';
import { AccountError } from '../../codereadr/types.js';
import type { Subcommand } from '../bolt/routing/commands.js';
import { accountOf } from './connection.js';
import { limitsMessage } from './limits-message.js';

export const limits: Subcommand = {
  name: 'limits',
  usage: 'limits',
  describes: 'tells how many calls of the account are left, and when there are new ones',
  who: 'everyone',
  async run({ deps, asker, respond }) {
    const { client } = await accountOf(deps, asker.owner);
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
