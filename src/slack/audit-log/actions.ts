/** Handlers of the filters and page buttons in the audit log's modal. */

import { SlackError } from '../bolt/errors.js';
import type { Action, ActionContext, Handler } from '../bolt/routing/context.js';
import { auditTitle } from './audit-view.js';
import { auditWindow } from './load-audit.js';
import { type AuditNotes, auditNotes, auditPageNotes } from './metadata.js';

function showing(next: (notes: AuditNotes, action: Action) => AuditNotes): Handler<ActionContext> {
  return {
    role: 'manager',
    async run(context) {
      const { inside, action } = context;
      if (!inside) {
        throw new SlackError('slack.state', 'a click on the audit came from no window');
      }
      const notes = next(auditNotes.read(inside.view.private_metadata), action);
      await inside.fill(auditTitle, () => auditWindow(context, notes));
    },
  };
}

function newest({ before: _, ...notes }: AuditNotes): AuditNotes {
  return notes;
}

export const auditOlder = showing((notes, action) => ({
  ...notes,
  ...auditPageNotes.read('value' in action ? action.value : undefined),
}));

export const auditNewest = showing(newest);

export const auditPerson = showing((notes, action) => ({
  ...newest(notes),
  who: action.type === 'users_select' ? action.selected_user : undefined,
}));

export const auditAnybody = showing((notes) => ({ ...newest(notes), who: undefined }));

export const auditSection = showing((notes, action) => {
  const value = action.type === 'static_select' ? action.selected_option.value : 'all';
  return { ...newest(notes), section: value === 'all' ? undefined : value };
});
