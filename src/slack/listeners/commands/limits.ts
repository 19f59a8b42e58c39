/** Owns `/scandesk limits`: the account's own word on its calls. It spends one. */
import { retrieveLimits } from '../../../account/catalogue/index.js';
import { limitsMessage } from '../../blocks/limits.js';
import { accountOf } from '../../connection.js';
import type { Subcommand } from './table.js';

export const limits: Subcommand = {
  name: 'limits',
  usage: 'limits',
  describes: 'tells how many calls of the account are left, and when there are new ones',
  who: 'everyone',
  async run({ deps, asker, respond }) {
    const { client } = await accountOf(deps, asker.owner);
    await client.call(retrieveLimits, {});
    await respond(limitsMessage(client.callsLeft()));
  },
};
