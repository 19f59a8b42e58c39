/** Owns `/scandesk relay`: the workspace's relays, and the way to a new one. */
import { relaysTitle } from '../../blocks/relay-list.js';
import { relayListWindow } from '../../relay-windows.js';
import type { Subcommand } from './table.js';

export const relay: Subcommand = {
  name: 'relay',
  usage: 'relay',
  describes: 'posts the scans that matter in a channel: set up, pause, change, remove',
  who: 'manager',
  opens: relaysTitle,
  async run(context) {
    await context.window.fill(relaysTitle, () => relayListWindow(context));
  },
};
