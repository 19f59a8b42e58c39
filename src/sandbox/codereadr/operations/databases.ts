/** The section `databases`: creating, renaming, clearing and deleting databases, and their values. */
import type { Account } from '../access.js';
import { Refusal } from '../answer/refusal.js';
import type { Variables } from '../request/variables.js';
import { fold, type Sql } from '../store/sqlite.js';
import { element } from '../xml/write.js';
import { type DatabaseRow, keyOf } from './database-row.js';
import { databaseOf, retrieveDatabases, showValues } from './databases-read.js';
import type { Call, Handler, Section } from './operation.js';
import { upload } from './upload.js';
import { readValue } from './value.js';

const mostValues = 100;

function freeName(sql: Sql, account: Account, variables: Variables, except = -1): string {
  const name = variables.required('database_name', '50');
  if (name.trim() === '') throw new Refusal('50', 'database_name must not be empty.');
  const databaseOfName = sql.get(
    'SELECT 1 FROM databases WHERE account_id = ? AND folded = ? AND id <> ?',
    account.id,
    fold(name),
    except,
  );
  if (databaseOfName) throw new Refusal('216');
  return name;
}

const create: Handler = ({ account, variables, sql, clock }) =>
  sql.transaction(() => {
    const name = freeName(sql, account, variables);
    const { id } = sql.run(
      'INSERT INTO databases (account_id, name, folded, case_sensitive, changed_at) VALUES (?, ?, ?, ?, ?)',
      account.id,
      name,
      fold(name),
      Number(variables.flag('case_sensitivity') ?? false),
      clock.now(),
    );
    return [element('id', id)];
  });

/** Makes the handler of a change to one database or its values, which also sets the time of the change. */
function changeHandler(change: (database: DatabaseRow, call: Call) => void): Handler {
  return (call) =>
    call.sql.transaction(() => {
      const database = databaseOf(call.sql, call.account, call.variables);
      change(database, call);
      touch(call.sql, database.id, call.clock.now());
      return [];
    });
}

const update = changeHandler(({ id }, { account, variables, sql }) => {
  const name = freeName(sql, account, variables, id);
  sql.run('UPDATE databases SET name = ?, folded = ? WHERE id = ?', name, fold(name), id);
});

const remove: Handler = ({ account, variables, sql }) =>
  sql.transaction(() => {
    const { id } = databaseOf(sql, account, variables);
    if (sql.get('SELECT 1 FROM services WHERE database_id = ?', id)) throw new Refusal('205');
    sql.run('DELETE FROM databases WHERE id = ?', id);
    return [];
  });

const clear = changeHandler(({ id }, { sql }) => {
  sql.run('DELETE FROM database_values WHERE database_id = ?', id);
});

function touch(sql: Sql, databaseId: number, now: number): void {
  sql.run('UPDATE databases SET changed_at = ? WHERE id = ?', now, databaseId);
}

interface NewValue {
  readonly value: string;
  readonly response: string;
  readonly validity: number;
}

/** The value that a call adds. @throws Refusal 50, 1028 */
function readNewValue(variables: Variables, trimByDefault: boolean): NewValue {
  const value = readValue(variables.text('value') ?? '', variables.flag('trim_value') ?? trimByDefault);
  if (!value.ok) throw new Refusal('1028', `(${value.why})`);
  return {
    value: value.value,
    // The reference's XML example has `message` where its table has `response`.
    response: variables.text('response') ?? variables.text('message') ?? '',
    validity: Number(variables.flag('validity') ?? true),
  };
}

/** An existing value is replaced as a whole: an omitted response becomes empty, an omitted validity valid *(guess)*. */
function upsert(sql: Sql, database: DatabaseRow, { value, response, validity }: NewValue): void {
  sql.run(
    `INSERT INTO database_values (database_id, value, folded, response, validity) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (database_id, folded) DO UPDATE SET response = excluded.response, validity = excluded.validity`,
    database.id,
    value,
    keyOf(database, value),
    response,
    validity,
  );
}

function findValue(sql: Sql, database: DatabaseRow, value: string): { id: number } | undefined {
  return sql.get<{ id: number }>(
    'SELECT id FROM database_values WHERE database_id = ? AND folded = ?',
    database.id,
    keyOf(database, value),
  );
}

/** The value that a call names. @throws Refusal 1017, 1028 */
function knownValue(sql: Sql, database: DatabaseRow, variables: Variables): { id: number } {
  const found = findValue(sql, database, variables.required('value', '1028'));
  if (!found) throw new Refusal('1017');
  return found;
}

const addValue = changeHandler((database, { variables, sql }) => {
  const value = readNewValue(variables, true);
  if (findValue(sql, database, value.value)) throw new Refusal('1027');
  upsert(sql, database, value);
});

const upsertValue = changeHandler((database, { variables, sql }) => {
  upsert(sql, database, readNewValue(variables, true));
});

/** A value without any database_id is ignored, as the reference says; every other error refuses the whole call. */
const upsertMultiValue: Handler = ({ account, variables, sql, clock }) =>
  sql.transaction(() => {
    const records = variables.records('values');
    if (records.length === 0) throw new Refusal('1028', '(values)');
    if (records.length > mostValues) throw new Refusal('50', `values holds more than ${mostValues} values.`);
    const fallback = variables.filter('database_id');
    const trim = variables.flag('trim_value') ?? true;
    for (const record of records) {
      const value = readNewValue(record, trim);
      const idSource = record.filter('database_id') ? record : fallback === undefined ? undefined : variables;
      if (!idSource) continue;
      const database = databaseOf(sql, account, idSource);
      upsert(sql, database, value);
      touch(sql, database.id, clock.now());
    }
    return [];
  });

/** Changes a value. Omitted variables keep their values; the barcode is used as sent, without trimming. */
const editValue = changeHandler((database, { variables, sql }) => {
  const { id } = knownValue(sql, database, variables);
  const response = variables.text('response');
  const validity = variables.flag('validity');
  if (response !== undefined) sql.run('UPDATE database_values SET response = ? WHERE id = ?', response, id);
  if (validity !== undefined) sql.run('UPDATE database_values SET validity = ? WHERE id = ?', Number(validity), id);
});

const deleteValue = changeHandler((database, { variables, sql }) => {
  sql.run('DELETE FROM database_values WHERE id = ?', knownValue(sql, database, variables).id);
});

export const databases: Section = {
  retrieve: retrieveDatabases,
  showvalues: showValues,
  create,
  update,
  delete: remove,
  clear,
  upload,
  addvalue: addValue,
  upsertvalue: upsertValue,
  upsertmultivalue: upsertMultiValue,
  editvalue: editValue,
  deletevalue: deleteValue,
};
