/** The command `/scandesk audit`, and the filters and page buttons of the modal it opens. */

import { SlackError } from '../bolt/errors.js';
import type { Subcommand } from '../bolt/routing/commands.js';
import type { Action } from '../bolt/routing/context.js';
import { action, type Listener } from '../bolt/routing/listeners.js';
import { auditTitle } from './audit-view.js';
import { auditModal } from './load-audit.js';
import { type AuditMetadata, auditMetadata, auditPageMetadata } from './metadata.js';

export const audit: Subcommand = {
  name: 'audit',
  usage: 'audit',
  description: 'Show who changed what, when and where',
  role: 'manager',
  modalTitle: auditTitle,
  async run(context) {
    const { channelId } = context;
    await context.modal.fill(auditTitle, () => auditModal(context, { channel: channelId }));
  },
};

function redrawWith(id: string, next: (notes: AuditMetadata, action: Action) => AuditMetadata): Listener {
  return action(id, {
    role: 'manager',
    async run(context) {
      const { inside, action } = context;
      if (!inside) {
        throw new SlackError('slack.state', 'a click on the audit came from no window');
      }
      const notes = next(auditMetadata.read(inside.view.private_metadata), action);
      await inside.fill(auditTitle, () => auditModal(context, notes));
    },
  });
}

function newest({ before: _, ...notes }: AuditMetadata): AuditMetadata {
  return notes;
}

export const auditOlder = redrawWith('audit.older', (notes, action) => ({
  ...notes,
  ...auditPageMetadata.read('value' in action ? action.value : undefined),
}));

export const auditNewest = redrawWith('audit.newest', newest);

export const auditPerson = redrawWith('audit.person', (notes, action) => ({
  ...newest(notes),
  who: action.type === 'users_select' ? action.selected_user : undefined,
}));

export const auditAnybody = redrawWith('audit.anybody', (notes) => ({ ...newest(notes), who: undefined }));

export const auditSection = redrawWith('audit.section', (notes, action) => {
  const value = action.type === 'static_select' ? action.selected_option.value : 'all';
  return { ...newest(notes), section: value === 'all' ? undefined : value };
});
