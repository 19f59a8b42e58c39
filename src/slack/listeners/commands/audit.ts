/** Owns `/scandesk audit`: who changed what through Slack. */
import { auditWindow } from '../../audit-window.js';
import { auditTitle } from '../../blocks/audit.js';
import type { Subcommand } from './table.js';

export const audit: Subcommand = {
  name: 'audit',
  usage: 'audit',
  describes: 'tells who changed what, from where, when, and what came of it',
  who: 'manager',
  opens: auditTitle,
  async run(context) {
    const { channelId } = context;
    await context.window.fill(auditTitle, () => auditWindow(context, { channel: channelId }));
  },
};
