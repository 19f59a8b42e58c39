/** Declarations of the section `databases`. A value is a barcode: it is sent and returned unchanged. */
import type { Database, DatabaseValue } from '../types.js';
import type { Element } from '../xml/xml.js';
import { filterBy, paging } from './common.js';
import { operation } from './operation.js';
import {
  attribute,
  childrenNamed,
  count,
  countIn,
  firstNamed,
  ids,
  mapInTurns,
  newId,
  optionalText,
  readNothing,
  text,
} from './read.js';
import { valueColumns } from './value-columns.js';

const nameParam = {
  type: 'text',
  required: true,
  label: 'Name',
  description: 'The name of the database.',
  errors: ['216'],
} as const;

const oneDatabase = {
  type: 'id',
  of: 'database',
  required: true,
  label: 'Database',
  description: 'The database to use.',
  errors: ['204', '270'],
} as const;

const value = {
  type: 'barcode',
  max: 100,
  required: true,
  label: 'Barcode',
  description: 'The barcode, exactly as scanned. At most 100 characters.',
  errors: ['1028'],
} as const;

const newValue = { ...value, errors: ['1027', '1028'] } as const;
const knownValue = { ...value, errors: ['1017', '1028'] } as const;

const response = { type: 'text', description: 'The text that the device shows when this barcode is scanned.' } as const;
const validity = {
  type: 'boolean',
  default: '1',
  label: 'Valid',
  description: 'Scans of this barcode are valid.',
} as const;
const trim = {
  type: 'boolean',
  default: '1',
  label: 'Trim spaces',
  description: 'Remove spaces at the start and end of each value. Turn this off to keep values exactly as entered.',
  advanced: true,
} as const;

function database(element: Element): Database {
  const values = count(element, 'count');
  const caseSensitivity = optionalText(element, 'case_sensitivity')?.trim();
  return {
    id: attribute(element, 'id'),
    name: text(element, 'name'),
    serviceIds: ids(element, 'service'),
    ...(values !== undefined && { count: values }),
    ...(caseSensitivity !== undefined && { caseSensitive: caseSensitivity === '1' }),
  };
}

/** Reads a value. One with a missing or unknown validity counts as invalid: if unclear, a barcode is not admitted. */
function databaseValue(element: Element): DatabaseValue {
  return {
    value: firstNamed(element, 'id')?.text ?? attribute(element, 'id'),
    valid: attribute(element, 'validity').trim() === '1',
    response: text(element, 'response'),
  };
}

export const create = operation('databases', 'create', {
  title: 'Create a database',
  success: 'Created the database {database_name}',
  effect: 'write',
  input: {
    database_name: nameParam,
    case_sensitivity: {
      type: 'boolean',
      default: '0',
      label: 'Case-sensitive',
      description: 'Treat ABC and abc as different values. This can’t be changed later.',
    },
  },
  output: newId,
});

export const retrieve = operation('databases', 'retrieve', {
  title: 'List databases',
  effect: 'read',
  input: {
    database_id: { ...filterBy('database', 'The databases to list. Leave blank for all.'), errors: ['204', '270'] },
    info_level: {
      type: 'enum',
      options: [
        ['names', 'Names only'],
        ['services', 'Names and services'],
      ],
      description: 'Return less, without counts. Faster.',
      advanced: true,
    },
  },
  output: (root) => ({ ...countIn(root), databases: childrenNamed(root, 'database').map(database) }),
  notes: 'With info_level there are no counts. case_sensitivity and timestamp were observed but are undocumented.',
});

export const update = operation('databases', 'update', {
  title: 'Rename a database',
  success: 'Renamed {database_id} to {database_name}',
  effect: 'write',
  input: { database_id: oneDatabase, database_name: { ...nameParam, description: 'The new name.' } },
  output: readNothing,
});

const deleteOne = operation('databases', 'delete', {
  title: 'Delete a database',
  success: 'Deleted {database_id}',
  effect: 'delete',
  input: { database_id: { ...oneDatabase, errors: ['204', '205', '270'], description: 'The database to delete.' } },
  output: readNothing,
  notes: 'Refused with 205 while a service still checks against it.',
});

export { deleteOne as delete };

export const clear = operation('databases', 'clear', {
  title: 'Empty a database',
  success: 'Emptied {database_id}',
  effect: 'delete',
  input: { database_id: { ...oneDatabase, description: 'The database to remove all values from.' } },
  output: readNothing,
});

export const showvalues = operation('databases', 'showvalues', {
  title: 'Search values',
  effect: 'read',
  input: {
    database_id: oneDatabase,
    value: { type: 'barcode', label: 'Barcode', description: 'Find exactly this barcode.', group: 'Search' },
    valuelike: {
      type: 'barcode',
      label: 'Barcode contains',
      description: 'Find barcodes that contain this text.',
      group: 'Search',
    },
    response: { type: 'text', description: 'Find exactly this response.', group: 'Search' },
    responselike: {
      type: 'text',
      label: 'Response contains',
      description: 'Find responses that contain this text.',
      group: 'Search',
    },
    validity: {
      type: 'boolean',
      label: 'Valid',
      description: 'Find only values that are valid, or only those that are not.',
      group: 'Search',
    },
    ...paging,
  },
  output: async (root) => ({ ...countIn(root), values: await mapInTurns(childrenNamed(root, 'value'), databaseValue) }),
  errors: ['1017'],
  notes:
    'offset 5 begins with the 6th value. Whether an unknown value gives an empty list or 1017 is undocumented: expect both.',
});

export const upload = operation('databases', 'upload', {
  title: 'Upload a spreadsheet',
  success: 'Uploaded {csvfile} to {database_id}',
  effect: 'write',
  input: {
    database_id: oneDatabase,
    csvfile: {
      type: 'file',
      suffixes: ['.csv'],
      converted: ['.xlsx'],
      maxBytes: 10_000_000,
      required: true,
      label: 'Spreadsheet',
      description:
        'An .xlsx or CSV file: barcode, response, valid (Yes or No), or as a header line orders them. At most 10 MB.',
      errors: ['104', '105', '1019', '1026', '1029'],
    },
    trim_value: { ...trim, advanced: undefined },
    is_deferred: {
      type: 'boolean',
      label: 'Import in the background',
      description: 'Recommended for more than 10,000 values.',
      advanced: true,
    },
  },
  output: readNothing,
});

export const upsertmultivalue = operation('databases', 'upsertmultivalue', {
  title: 'Add or edit values',
  success: 'Added or updated {values}',
  effect: 'write',
  input: {
    values: {
      type: 'records',
      max: 100,
      required: true,
      columns: valueColumns,
      headers: 'values',
      description: 'One per line: barcode, response, validity (1 or 0), or as a header line orders them. At most 100.',
      fields: {
        value,
        database_id: {
          ...oneDatabase,
          required: undefined,
          requiredWithout: 'database_id',
          description: 'The database for this value, if different from the one for all values.',
        },
        trim_value: trim,
        response,
        validity,
      },
      errors: ['1028'],
    },
    database_id: {
      ...oneDatabase,
      required: undefined,
      description: 'The database for all values that don’t name one.',
    },
    trim_value: {
      ...trim,
      description: 'Remove spaces at the start and end of values, unless set for a value itself.',
    },
  },
  output: readNothing,
  notes:
    'A value without any database_id is ignored by the service. The reference’s XML example says message where its table ' +
    'says response: response is sent, both are accepted.',
});

export const upsertvalue = operation('databases', 'upsertvalue', {
  title: 'Add or edit a value',
  success: 'Added or updated {value} in {database_id}',
  effect: 'write',
  input: { database_id: oneDatabase, value, response, validity, trim_value: trim },
  output: readNothing,
});

export const addvalue = operation('databases', 'addvalue', {
  title: 'Add a value',
  success: 'Added {value} to {database_id}',
  effect: 'write',
  input: { database_id: oneDatabase, value: newValue, response, validity, trim_value: trim },
  output: readNothing,
});

export const editvalue = operation('databases', 'editvalue', {
  title: 'Edit a value',
  success: 'Updated {value} in {database_id}',
  effect: 'write',
  input: {
    database_id: oneDatabase,
    value: knownValue,
    response,
    validity: { type: 'boolean', label: 'Valid', description: 'Scans of this barcode are valid.' },
  },
  output: readNothing,
});

export const deletevalue = operation('databases', 'deletevalue', {
  title: 'Delete a value',
  success: 'Deleted {value} from {database_id}',
  effect: 'delete',
  input: { database_id: oneDatabase, value: knownValue },
  output: readNothing,
});
