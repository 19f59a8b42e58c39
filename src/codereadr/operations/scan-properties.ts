/** Declarations of the section `scan_properties`. Names and values are case-sensitive, but for retrieve's name. */
import { operation } from './operation.js';
import { readNothing, text } from './read.js';

const noScanCodes = ['135'] as const;

/** The meaning of an error for which the account has no code of its own. */
const noSuchScan = { title: 'There is no scan with this ID', todo: 'Check the scan’s ID.' } as const;
const meanings = {
  '50': { title: 'This scan has no property of that name', todo: 'Check the name, its upper and lower case included.' },
  '135': noSuchScan,
  '804': noSuchScan,
} as const;

const someScans = {
  type: 'ids',
  of: 'scan',
  required: true,
  description: 'The scans to use.',
  errors: noScanCodes,
} as const;

const oneScan = {
  type: 'id',
  of: 'scan',
  required: true,
  description: 'The scan to use.',
  errors: noScanCodes,
} as const;

const name = {
  type: 'text',
  max: 100,
  required: true,
  description: 'The name of the property. At most 100 characters.',
} as const;
const value = {
  type: 'text',
  max: 100,
  required: true,
  description: 'The value of the property. At most 100 characters.',
} as const;

export const create = operation('scan_properties', 'create', {
  title: 'Add a scan property',
  success: 'Added the property {name} to {scan_id}',
  effect: 'write',
  input: { scan_id: someScans, name, value },
  output: readNothing,
});

export const update = operation('scan_properties', 'update', {
  title: 'Edit a scan property',
  success: 'Updated the property {name} of {scan_id}',
  effect: 'write',
  input: { scan_id: someScans, name, value },
  output: readNothing,
  meanings,
});

export const retrieve = operation('scan_properties', 'retrieve', {
  title: 'Show a scan property',
  effect: 'read',
  input: {
    scan_id: oneScan,
    name: { ...name, description: 'The name of the property. Upper and lower case are treated the same here.' },
  },
  output: (root) => ({ value: text(root, 'value') }),
  meanings,
});

const remove = operation('scan_properties', 'delete', {
  title: 'Delete a scan property',
  success: 'Deleted the property {name} from {scan_id}',
  effect: 'delete',
  input: { scan_id: oneScan, name },
  output: readNothing,
  meanings,
});

export { remove as delete };
