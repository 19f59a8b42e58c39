/** The command `/scandesk audit`: opens the audit log of changes made through Slack. */

import type { Subcommand } from '../bolt/routing/commands.js';
import { auditTitle } from './audit-view.js';
import { auditWindow } from './load-audit.js';

export const audit: Subcommand = {
  name: 'audit',
  usage: 'audit',
  description: 'Show who changed what, when and where',
  role: 'manager',
  modalTitle: auditTitle,
  async run(context) {
    const { channelId } = context;
    await context.modal.fill(auditTitle, () => auditWindow(context, { channel: channelId }));
  },
};
