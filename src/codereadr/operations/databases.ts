/** Declarations of the section `databases`. A value is a barcode: it is sent and returned unchanged. */
import type { Database, DatabaseValue } from '../types.js';
import type { Element } from '../xml/xml.js';
import { filterBy, paging } from './common.js';
import { operation } from './operation.js';
import { all, attribute, count, first, ids, newId, nothing, text, told } from './read.js';

const name = {
  type: 'text',
  required: true,
  label: 'Name',
  means: 'What people call the database.',
  errors: ['216'],
} as const;

const oneDatabase = {
  type: 'id',
  of: 'database',
  required: true,
  label: 'Database',
  means: 'The database.',
  errors: ['204', '270'],
} as const;

const value = {
  type: 'barcode',
  max: 100,
  required: true,
  label: 'Barcode',
  means: 'The barcode value, exactly as it is scanned. At most 100 characters.',
  errors: ['1028'],
} as const;

const newValue = { ...value, errors: ['1027', '1028'] } as const;
const knownValue = { ...value, errors: ['1017', '1028'] } as const;

const response = { type: 'text', means: 'What the device shows when it is scanned.' } as const;
const validity = { type: 'flag', fallback: '1', label: 'Valid', means: 'Whether a scan of it is valid.' } as const;
const trim = {
  type: 'flag',
  fallback: '1',
  label: 'Trim spaces',
  means: 'Whether spaces around a value are cut off. Turn it off to keep a value exactly.',
  advanced: true,
} as const;

function database(element: Element): Database {
  const values = count(element, 'count');
  const caseSensitivity = told(element, 'case_sensitivity')?.trim();
  return {
    id: attribute(element, 'id'),
    name: text(element, 'name'),
    serviceIds: ids(element, 'service'),
    ...(values !== undefined && { count: values }),
    ...(caseSensitivity !== undefined && { caseSensitive: caseSensitivity === '1' }),
  };
}

/** A value with a missing or unknown validity counts as invalid: in doubt, a barcode is not admitted. */
function databaseValue(element: Element): DatabaseValue {
  return {
    value: first(element, 'id')?.text ?? attribute(element, 'id'),
    valid: attribute(element, 'validity').trim() === '1',
    response: text(element, 'response'),
  };
}

function counted(root: Element): { readonly count?: number } {
  const values = count(root, 'count');
  return values === undefined ? {} : { count: values };
}

export const create = operation({
  section: 'databases',
  action: 'create',
  title: 'Create a database',
  done: 'Created the database {database_name}',
  effect: 'write',
  input: {
    database_name: name,
    case_sensitivity: {
      type: 'flag',
      fallback: '0',
      label: 'Case-sensitive',
      means: 'Whether ABC and abc are two values. Fixed afterwards.',
    },
  },
  output: newId,
  errors: ['216'],
});

export const retrieve = operation({
  section: 'databases',
  action: 'retrieve',
  title: 'List databases',
  effect: 'read',
  input: {
    database_id: { ...filterBy('database', 'Which databases; all by default.'), errors: ['204', '270'] },
    info_level: {
      type: 'choice',
      options: [
        ['names', 'Names only'],
        ['services', 'Names and services'],
      ],
      means: 'Tell less, without counts: quicker.',
      advanced: true,
    },
  },
  output: (root) => ({ ...counted(root), databases: all(root, 'database').map(database) }),
  errors: ['204', '270'],
  notes: 'With info_level there are no counts. case_sensitivity and timestamp were seen, never promised.',
});

export const update = operation({
  section: 'databases',
  action: 'update',
  title: 'Rename a database',
  done: 'Renamed {database_id} to {database_name}',
  effect: 'write',
  input: { database_id: oneDatabase, database_name: { ...name, means: 'Its new name.' } },
  output: nothing,
  errors: ['204', '216', '270'],
});

const remove = operation({
  section: 'databases',
  action: 'delete',
  title: 'Delete a database',
  done: 'Deleted {database_id}',
  effect: 'delete',
  input: { database_id: { ...oneDatabase, errors: ['204', '205', '270'], means: 'The database to delete.' } },
  output: nothing,
  errors: ['204', '205', '270'],
  notes: 'Refused with 205 while a service still checks against it.',
});

export { remove as delete };

export const clear = operation({
  section: 'databases',
  action: 'clear',
  title: 'Empty a database',
  done: 'Emptied {database_id}',
  effect: 'delete',
  input: { database_id: { ...oneDatabase, means: 'The database whose values all go.' } },
  output: nothing,
  errors: ['204', '270'],
});

export const showvalues = operation({
  section: 'databases',
  action: 'showvalues',
  title: 'Look up values',
  effect: 'read',
  input: {
    database_id: oneDatabase,
    value: { type: 'barcode', label: 'Barcode', means: 'Exactly this barcode value.', group: 'Search' },
    valuelike: { type: 'barcode', label: 'Barcode holds', means: 'Values that hold this.', group: 'Search' },
    response: { type: 'text', means: 'Exactly this response.', group: 'Search' },
    responselike: { type: 'text', label: 'Response holds', means: 'Responses that hold this.', group: 'Search' },
    validity: { type: 'flag', label: 'Valid', means: 'Valid values only, or invalid ones only.', group: 'Search' },
    ...paging,
  },
  output: (root) => ({ ...counted(root), values: all(root, 'value').map(databaseValue) }),
  errors: ['204', '270', '1017'],
  notes:
    'offset 5 begins with the 6th value. Whether an unknown value is an empty list or 1017 is not told: expect both.',
});

export const upload = operation({
  section: 'databases',
  action: 'upload',
  title: 'Upload values',
  done: 'Uploaded {csvfile} to {database_id}',
  effect: 'write',
  input: {
    database_id: oneDatabase,
    csvfile: {
      type: 'file',
      suffixes: ['.csv'],
      maxBytes: 10_000_000,
      required: true,
      label: 'CSV file',
      means: 'One value a line: value, response, validity. At most 10 MB.',
      errors: ['104', '105', '1019', '1026', '1029'],
    },
    trim_value: { ...trim, advanced: undefined },
    is_deferred: {
      type: 'flag',
      label: 'Import later',
      means: 'Import in the background: for more than 10,000 values.',
      advanced: true,
    },
  },
  output: nothing,
  errors: ['104', '105', '204', '270', '1019', '1026', '1029'],
});

export const upsertmultivalue = operation({
  section: 'databases',
  action: 'upsertmultivalue',
  title: 'Add or change values',
  done: 'Added or changed {values}',
  effect: 'write',
  input: {
    values: {
      type: 'records',
      max: 100,
      required: true,
      columns: ['value', 'response', 'validity'],
      means: 'The values, at most 100: a line each, value, response, validity.',
      fields: {
        value,
        database_id: {
          ...oneDatabase,
          required: undefined,
          requiredWithout: 'database_id',
          means: 'The database it goes into, where not the one for all.',
        },
        trim_value: trim,
        response,
        validity,
      },
      errors: ['1028'],
    },
    database_id: { ...oneDatabase, required: undefined, means: 'The database for all values that name none.' },
    trim_value: { ...trim, means: 'Whether spaces around values that do not say themselves are cut off.' },
  },
  output: nothing,
  errors: ['204', '270', '1028'],
  notes:
    'A value without any database_id is ignored by the service. The reference’s XML example says message where its table ' +
    'says response: response is sent, both are accepted.',
});

export const upsertvalue = operation({
  section: 'databases',
  action: 'upsertvalue',
  title: 'Add or change a value',
  done: 'Added or changed {value} in {database_id}',
  effect: 'write',
  input: { database_id: oneDatabase, value, response, validity, trim_value: trim },
  output: nothing,
  errors: ['204', '270', '1028'],
});

export const addvalue = operation({
  section: 'databases',
  action: 'addvalue',
  title: 'Add a value',
  done: 'Added {value} to {database_id}',
  effect: 'write',
  input: { database_id: oneDatabase, value: newValue, response, validity, trim_value: trim },
  output: nothing,
  errors: ['204', '270', '1027', '1028'],
});

export const editvalue = operation({
  section: 'databases',
  action: 'editvalue',
  title: 'Change a value',
  done: 'Changed {value} in {database_id}',
  effect: 'write',
  input: {
    database_id: oneDatabase,
    value: knownValue,
    response,
    validity: { type: 'flag', label: 'Valid', means: 'Whether a scan of it is valid.' },
  },
  output: nothing,
  errors: ['204', '270', '1017', '1028'],
});

export const deletevalue = operation({
  section: 'databases',
  action: 'deletevalue',
  title: 'Delete a value',
  done: 'Deleted {value} from {database_id}',
  effect: 'delete',
  input: { database_id: oneDatabase, value: knownValue },
  output: nothing,
  errors: ['204', '270', '1017', '1028'],
});
