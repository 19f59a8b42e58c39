/** `databases/retrieve` and `databases/showvalues`. A value is searched as it was sent: nothing is trimmed. */
import type { Account } from '../access.js';
import { Refusal } from '../answer/refusal.js';
import { subjects, type Variables } from '../request/variables.js';
import type { Sql, SqlValue } from '../store/sqlite.js';
import { element, type Xml } from '../xml/write.js';
import { type DatabaseRow, keyOf } from './database-row.js';
import { askedIds, rowsOf } from './existing.js';
import type { Handler } from './operation.js';
import { stamp } from './time.js';

/** The database that a call names. @throws Refusal 50, 204, 270 */
export function databaseOf(sql: Sql, account: Account, variables: Variables): DatabaseRow {
  const [row] = rowsOf<DatabaseRow>(sql, account, 'database', [variables.id('database_id', subjects.database)]);
  return row!;
}

export const retrieveDatabases: Handler = (call) => {
  const { account, variables, sql } = call;
  const ids = askedIds(call, 'database');
  const level = variables.choice('info_level', ['names', 'services'] as const);
  const rows = rowsOf<DatabaseRow>(sql, account, 'database', ids);
  return [
    element('count', rows.length),
    element('totalCount', rows.length),
    ...rows.map((row) => element('database', describe(sql, account, row, level), { id: row.id })),
  ];
};

function describe(sql: Sql, account: Account, row: DatabaseRow, level: 'names' | 'services' | undefined): Xml[] {
  const fields = [element('name', row.name)];
  if (level === 'names') return fields;
  const services = sql.all<{ id: number }>('SELECT id FROM services WHERE database_id = ? ORDER BY id', row.id);
  const linked = services.map(({ id }) => element('service', '', { id }));
  if (level === 'services') return [...fields, ...linked];
  const countRow = sql.get<{ count: number }>(
    'SELECT count(*) AS count FROM database_values WHERE database_id = ?',
    row.id,
  );
  return [
    ...fields,
    element('count', countRow?.count ?? 0),
    ...linked,
    element('case_sensitivity', row.case_sensitive),
    element('timestamp', stamp(row.changed_at, account.time_zone)),
  ];
}

interface ValueRow {
  readonly value: string;
  readonly response: string;
  readonly validity: number;
}

export const showValues: Handler = ({ account, variables, sql }) => {
  const database = databaseOf(sql, account, variables);
  const conditions: string[] = ['database_id = ?'];
  const boundValues: SqlValue[] = [database.id];
  const addCondition = (condition: string, value: string | number | undefined) => {
    if (value === undefined) return;
    conditions.push(condition);
    boundValues.push(value);
  };
  const value = variables.filter('value');
  const like = variables.filter('valuelike');
  addCondition('folded = ?', value === undefined ? undefined : keyOf(database, value));
  addCondition('instr(folded, ?) > 0', like === undefined ? undefined : keyOf(database, like));
  addCondition('response = ?', variables.filter('response'));
  addCondition('instr(fold(response), fold(?)) > 0', variables.filter('responselike'));
  const validity = variables.flag('validity');
  addCondition('validity = ?', validity === undefined ? undefined : Number(validity));

  // Offset 5 begins with the 6th value, as the reference says here (it says otherwise for scans and uploads).
  const { limit, offset } = readPage(variables);
  const rows = sql.all<ValueRow>(
    `SELECT value, response, validity FROM database_values WHERE ${conditions.join(' AND ')} ORDER BY id LIMIT ? OFFSET ?`,
    ...boundValues,
    limit ?? -1,
    offset,
  );
  return [
    element('count', rows.length),
    ...rows.map((row) =>
      element('value', [element('id', row.value), element('response', row.response)], { validity: row.validity }),
    ),
  ];
};

/** The page that a call asks for; `offset` requires `limit`. @throws Refusal 50 */
export function readPage(variables: Variables): { limit: number | undefined; offset: number } {
  const limit = variables.whole('limit', { min: 1, max: Number.MAX_SAFE_INTEGER });
  const offset = variables.whole('offset', { min: 0, max: Number.MAX_SAFE_INTEGER });
  if (offset !== undefined && limit === undefined) throw new Refusal('50', 'offset goes with limit.');
  return { limit, offset: offset ?? 0 };
}
