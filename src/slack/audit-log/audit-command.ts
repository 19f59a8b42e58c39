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

function redrawWith(id: string, next: (metadata: AuditMetadata, action: Action) => AuditMetadata): Listener {
  return action(id, {
    role: 'manager',
    async run(context) {
      const { inside, action } = context;
      if (!inside) {
        throw new SlackError('slack.state', `${id} was clicked outside its modal`);
      }
      const metadata = next(auditMetadata.read(inside.view.private_metadata), action);
      await inside.fill(auditTitle, () => auditModal(context, metadata));
    },
  });
}

function newest({ before: _, ...metadata }: AuditMetadata): AuditMetadata {
  return metadata;
}

export const auditOlder = redrawWith('audit.older', (metadata, action) => ({
  ...metadata,
  ...auditPageMetadata.read('value' in action ? action.value : undefined),
}));

export const auditNewest = redrawWith('audit.newest', newest);

export const auditPerson = redrawWith('audit.person', (metadata, action) => ({
  ...newest(metadata),
  who: action.type === 'users_select' ? action.selected_user : undefined,
}));

export const auditAnybody = redrawWith('audit.anybody', (metadata) => ({ ...newest(metadata), who: undefined }));

export const auditSection = redrawWith('audit.section', (metadata, action) => {
  const value = action.type === 'static_select' ? action.selected_option.value : 'all';
  return { ...newest(metadata), section: value === 'all' ? undefined : value };
});
