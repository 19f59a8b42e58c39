/** `/scandesk relay`: opens the list of the workspace's relays, with a button to add one. */
import type { Subcommand } from '../bolt/routing/commands.js';
import { opens } from '../bolt/routing/listeners.js';
import { relaysTitle } from './list-view.js';
import { relayListModal } from './load-views.js';

export const relay: Subcommand = {
  name: 'relay',
  usage: 'relay',
  description: 'Create and manage relays, which post scans in channels as they happen',
  role: 'manager',
  ...opens(relaysTitle, relayListModal),
};
