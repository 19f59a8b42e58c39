/**
 * The actions on each item of a list: an operation's form with the item filled in, a list of the records that belong to
 * it, or a lookup. The order is the menu's; actions that do not fit are behind *More*.
 */
import {
  databases,
  devices,
  questions,
  scanProperties,
  scans,
  services,
  uploads,
  users,
} from '../../codereadr/operations/index.js';
import type { Operation } from '../../codereadr/operations/operation.js';
import { requiredRoleFor } from '../operations/index.js';
import type { ListKind } from './metadata.js';

export interface ItemAction {
  /** Unique in its list; stored in menu values. */
  readonly key: string;
  readonly label: string;
  readonly does: /** `item`: the param that the item fills; without it the form asks for the item. */
    | { readonly opens: Operation; readonly item?: string }
    | { readonly shows: 'scans' | 'uploads' | 'values' }
    | { readonly looksUp: true }
    | { readonly links: 'member' };
}

function opens(key: string, label: string, operation: Operation, item?: string): ItemAction {
  return { key, label, does: { opens: operation, ...(item === undefined ? {} : { item }) } };
}

const itsScans: ItemAction = { key: 'scans', label: 'Show scans', does: { shows: 'scans' } };
const itsUploads: ItemAction = { key: 'uploads', label: 'Show uploads', does: { shows: 'uploads' } };

export const itemActions: Readonly<Record<ListKind, readonly ItemAction[]>> = {
  services: [
    opens('update', 'Edit settings', services.update, 'service_id'),
    opens('authorise', 'Give users access', services.adduserpermission, 'service_id'),
    opens('ask', 'Add questions', services.addquestion, 'service_id'),
    itsScans,
    opens('revoke', 'Remove user access', services.revokeuserpermission, 'service_id'),
    opens('unask', 'Remove questions', services.removequestion, 'service_id'),
    itsUploads,
    opens('delete', 'Delete', services.delete, 'service_id'),
  ],
  users: [
    opens('update', 'Edit', users.update, 'user_id'),
    opens('authorise', 'Give access to a service', services.adduserpermission, 'user_id'),
    opens('revoke', 'Remove access to a service', services.revokeuserpermission, 'user_id'),
    itsScans,
    { key: 'member', label: 'Link to Slack member', does: { links: 'member' } },
    opens('delete', 'Delete', users.delete, 'user_id'),
  ],
  devices: [opens('update', 'Rename', devices.update, 'device_id'), itsScans, itsUploads],
  databases: [
    { key: 'values', label: 'Show values', does: { shows: 'values' } },
    opens('upsert', 'Add or edit a value', databases.upsertvalue, 'database_id'),
    opens('upload', 'Upload a spreadsheet', databases.upload, 'database_id'),
    opens('update', 'Rename', databases.update, 'database_id'),
    opens('several', 'Add or edit values', databases.upsertmultivalue, 'database_id'),
    opens('remove', 'Delete a value', databases.deletevalue, 'database_id'),
    opens('clear', 'Empty', databases.clear, 'database_id'),
    opens('delete', 'Delete', databases.delete, 'database_id'),
  ],
  questions: [
    opens('answer', 'Add an answer', questions.addanswer, 'question_id'),
    opens('unanswer', 'Delete an answer', questions.deleteanswer),
    opens('ask', 'Add to a service', services.addquestion, 'question_id'),
    opens('unask', 'Remove from a service', services.removequestion, 'question_id'),
    opens('delete', 'Delete', questions.delete, 'question_id'),
  ],
  scans: [
    { key: 'lookup', label: 'Look up the barcode', does: { looksUp: true } },
    opens('property', 'Add a property', scanProperties.create, 'scan_id'),
    opens('change', 'Edit a property', scanProperties.update, 'scan_id'),
    opens('unproperty', 'Delete a property', scanProperties.delete, 'scan_id'),
    opens('delete', 'Delete', scans.delete, 'scan_id'),
  ],
  uploads: [itsScans],
  values: [
    { key: 'lookup', label: 'Look up', does: { looksUp: true } },
    opens('edit', 'Edit response', databases.editvalue, 'value'),
    opens('delete', 'Delete', databases.deletevalue, 'value'),
  ],
};

/** Actions that concern no item. */
export const listActions: Readonly<Record<ListKind, readonly ItemAction[]>> = {
  services: [opens('create', 'Create a service', services.create)],
  users: [opens('create', 'Create a user', users.create), opens('validate', 'Check a login', users.validate)],
  devices: [],
  databases: [opens('create', 'Create a database', databases.create)],
  questions: [opens('create', 'Create a question', questions.create)],
  scans: [opens('search', 'Advanced search', scans.retrieve)],
  uploads: [opens('search', 'Search uploads', uploads.retrieve)],
  values: [
    opens('upsert', 'Add or edit a value', databases.upsertvalue),
    opens('search', 'Advanced search', databases.showvalues),
  ],
};

/** Everyone may read; changing needs access. */
export function allowedActions(all: readonly ItemAction[], mayChange: boolean): readonly ItemAction[] {
  return all.filter(
    ({ does }) => mayChange || !('links' in does || ('opens' in does && requiredRoleFor(does.opens) !== 'everyone')),
  );
}

const mostInMenu = 5;

/** Splits the actions into the menu's options and those behind *More*. */
export function splitMenu(all: readonly ItemAction[]): {
  readonly shown: readonly ItemAction[];
  readonly more: readonly ItemAction[];
} {
  return all.length <= mostInMenu
    ? { shown: all, more: [] }
    : { shown: all.slice(0, mostInMenu - 1), more: all.slice(mostInMenu - 1) };
}
