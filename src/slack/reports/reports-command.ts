/** `/scandesk reports`: opens the list of daily reports, with a button to add one. */
import type { Subcommand } from '../bolt/routing/commands.js';
import { opens } from '../bolt/routing/listeners.js';
import { reportsTitle } from './list-view.js';
import { reportListModal } from './load-views.js';

export const reportsCommand: Subcommand = {
  name: 'reports',
  usage: 'reports',
  description: 'Create and manage daily reports, which post the day’s scans in a channel',
  role: 'manager',
  ...opens(reportsTitle, reportListModal),
};
