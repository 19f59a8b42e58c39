/**
 * The search of `scans/retrieve`: every filter, order and time zone of docs/account-api.md, as one query. *(guess)*
 * marks what the public material leaves open.
 */
import type { Account } from '../access.js';
import { Refusal } from '../answer/refusal.js';
import { subjects, type Variables } from '../request/variables.js';
import type { Sql, SqlValue } from '../store/sqlite.js';
import { readPage } from './databases-read.js';
import { rowsOf } from './existing.js';
import { momentOf, zoneOf } from './time.js';

/** The zone of a search's dates and of its answer where the call names none: Eastern Time. */
const defaultZone = 'America/New_York';

export interface ScanSearch {
  readonly sql: string;
  readonly bound: readonly SqlValue[];
  readonly zone: string;
  readonly showReceived: boolean;
  readonly showModified: boolean;
  readonly showProperties: boolean;
}

const orders: Readonly<Record<string, string>> = {
  barcode: 'scans.value',
  device_name: 'devices.name',
  device_id: 'scans.device_id',
  response: 'scans.response',
  scan_id: 'scans.id',
  service_id: 'scans.service_id',
  service_name: 'services.name',
  status: 'scans.status',
  timestamp: 'scans.scanned_at',
  timestamp_received: 'scans.received_at',
  timestamp_modified: 'scans.modified_at',
  user_id: 'scans.user_id',
  user_name: 'users.username',
};

/** Reads the search in a call. @throws Refusal 50, 213, 217, 218 and the ids' codes */
export function readScanSearch(
  variables: Variables,
  account: Account,
  options: { sql: Sql; offsetCounts: 'from-one' | 'from-zero' },
): ScanSearch {
  const conditions: string[] = ['scans.account_id = ?'];
  const boundValues: SqlValue[] = [account.id];
  const addCondition = (condition: string, ...values: SqlValue[]) => {
    conditions.push(condition);
    boundValues.push(...values);
  };

  whereIds(variables, account, options.sql, addCondition);
  whereTexts(variables, addCondition);
  whereProperties(variables, addCondition);
  const zone = readZone(variables, account);
  const receivedFlag = variables.choice('timestamp_received', ['0', '1', '2'] as const);
  const modified = variables.choice('timestamp_modified', ['0', '1', '2'] as const);
  whereDates(variables, zone, { received: receivedFlag === '1', modified: modified === '1' }, addCondition);
  whereModified(variables, addCondition);

  const { limit = 10_000, offset } = readPage(variables);
  const from = `FROM scans
    JOIN services ON services.id = scans.service_id
    JOIN devices ON devices.id = scans.device_id
    JOIN users ON users.id = scans.user_id
    WHERE ${conditions.join(' AND ')}`;
  // `only_recent` keeps the most recent matching scan of each value *(guess)*.
  const recentClause = variables.flag('only_recent')
    ? ` AND scans.id IN (SELECT id FROM (SELECT scans.id, row_number() OVER
        (PARTITION BY scans.value ORDER BY scans.scanned_at DESC, scans.id DESC) AS place ${from}) WHERE place = 1)`
    : '';
  return {
    sql: `SELECT scans.*, services.name AS service_name, devices.name AS device_name, users.username AS user_name
      ${from}${recentClause} ORDER BY ${readOrder(variables)} LIMIT ? OFFSET ?`,
    bound: [
      ...boundValues,
      ...(recentClause ? boundValues : []),
      limit,
      options.offsetCounts === 'from-one' ? Math.max(0, offset - 1) : offset,
    ],
    zone,
    showReceived: receivedFlag === '1' || receivedFlag === '2',
    showModified: modified === '1' || modified === '2',
    showProperties: variables.flag('showProperties') ?? false,
  };
}

type Where = (condition: string, ...values: SqlValue[]) => void;

function whereIds(variables: Variables, account: Account, sql: Sql, addCondition: Where): void {
  for (const kind of ['service', 'device', 'user', 'scan', 'upload'] as const) {
    const all = kind !== 'scan' && kind !== 'upload';
    const ids = variables.ids(`${kind}_id`, subjects[kind], { all });
    if (ids === undefined || ids === 'all') continue;
    if (kind === 'service' || kind === 'user') rowsOf(sql, account, kind, ids);
    const column = kind === 'scan' ? 'scans.id' : `scans.${kind}_id`;
    addCondition(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(ids));
  }
  const status = variables.filter('status');
  if (status === undefined || status.trim() === 'all') return;
  const parts = status.split(',').map((part) => part.trim());
  if (!parts.every((part) => ['1', '0', '-1'].includes(part))) {
    throw new Refusal('50', 'status must be 1, 0, -1, a list of them, or all.');
  }
  addCondition('scans.status IN (SELECT value FROM json_each(?))', JSON.stringify(parts.map(Number)));
}

function whereTexts(variables: Variables, addCondition: Where): void {
  const value = variables.filter('value');
  const valueLike = variables.filter('valuelike');
  const response = variables.filter('response');
  const responseLike = variables.filter('responselike');
  const keyword = variables.filter('keyword');
  if (value !== undefined) addCondition('scans.value = ?', value);
  if (valueLike !== undefined) addCondition('instr(fold(scans.value), fold(?)) > 0', valueLike);
  if (response !== undefined) addCondition('scans.response = ?', response);
  if (responseLike !== undefined) addCondition('instr(fold(scans.response), fold(?)) > 0', responseLike);
  // A keyword is searched in the barcode, the response, the answers and the names *(guess)*.
  if (keyword !== undefined) {
    const columns = ['scans.value', 'scans.response', 'users.username', 'devices.name', 'services.name'];
    const found = columns.map((column) => `instr(fold(${column}), fold(?)) > 0`);
    found.push('EXISTS (SELECT 1 FROM scan_answers WHERE scan_id = scans.id AND instr(fold(answer), fold(?)) > 0)');
    addCondition(`(${found.join(' OR ')})`, ...found.map(() => keyword));
  }
}

function whereProperties(variables: Variables, where: Where): void {
  const has = 'EXISTS (SELECT 1 FROM scan_properties WHERE scan_id = scans.id AND name = ?';
  for (const name of variables.names('includeProperty') ?? []) where(`${has})`, name);
  for (const name of variables.names('excludeProperty') ?? []) where(`NOT ${has})`, name);
  for (const pair of variables.pairs('with_property') ?? []) where(`${has} AND value = ?)`, ...pair);
  for (const pair of variables.pairs('without_property') ?? []) where(`NOT ${has} AND value = ?)`, ...pair);
}

function readZone(variables: Variables, account: Account): string {
  const named = variables.filter('timezone');
  if (named !== undefined) return named === 'account' ? account.time_zone : zoneOf(named);
  const offset = variables.filter('timezone_offset');
  if (offset === undefined) return defaultZone;
  if (offset === 'account') return account.time_zone;
  const parts = /^([+-]?)(\d{1,2})(?::?([0-5]\d))?$/.exec(offset);
  if (!parts || Number(parts[2]) > 14) throw new Refusal('50', 'timezone_offset must be hours from UTC.');
  return `UTC${parts[1] || '+'}${Number(parts[2])}:${parts[3] ?? '00'}`;
}

/** Filters by dates. Both ends belong to the range. A date without a time is the whole day. */
function whereDates(
  variables: Variables,
  zone: string,
  use: { received: boolean; modified: boolean },
  addCondition: Where,
): void {
  const startDate = variables.filter('start_date');
  const startTime = variables.filter('start_time');
  const endDate = variables.filter('end_date');
  const endTime = variables.filter('end_time');
  if (startTime !== undefined && startDate === undefined) throw new Refusal('217');
  if (endTime !== undefined && endDate === undefined) throw new Refusal('218');
  const from = startDate === undefined ? undefined : momentOf(startDate, startTime ?? '00:00:00', zone, 'start_date');
  const endAt = endDate === undefined ? undefined : momentOf(endDate, endTime ?? '23:59:59', zone, 'end_date') + 999;
  if (from !== undefined && endAt !== undefined && endAt < from) throw new Refusal('213');
  if (from === undefined && endAt === undefined) return;

  const columns = [...(use.received ? ['scans.received_at'] : []), ...(use.modified ? ['scans.modified_at'] : [])];
  const inRange = (columns.length > 0 ? columns : ['scans.scanned_at']).map((column) => {
    const parts = [
      ...(from === undefined ? [] : [`${column} >= ${from}`]),
      ...(endAt === undefined ? [] : [`${column} <= ${endAt}`]),
    ];
    return `(${parts.join(' AND ')})`;
  });
  addCondition(`(${inRange.join(' OR ')})`);
}

/** The units of time in milliseconds. The reference does not say how long a month or a year is *(guess)*. */
const units = { second: 1e3, minute: 6e4, hour: 36e5, day: 864e5, month: 2592e6, year: 31_536e6 } as const;

/** Filters by the time of change: `< 2 minute` means changed less than two minutes after the scan *(guess)*. */
function whereModified(variables: Variables, where: Where): void {
  const difference = variables.filter('modified_diff');
  if (difference === undefined) return;
  const parts = /^\s*([<>])\s*(\d*\.?\d+)\s*(second|minute|hour|day|month|year)\s*$/i.exec(difference);
  if (!parts) throw new Refusal('50', 'modified_diff must be like: < 2 minute.');
  const ms = Number(parts[2]) * units[parts[3]?.toLowerCase() as keyof typeof units];
  where(`scans.modified_at - scans.scanned_at ${parts[1]} ?`, ms);
}

/** The order of scans; by default by id *(guess)*. Ties follow the last direction by id. */
function readOrder(variables: Variables): string {
  const asked = variables.names('order_by') ?? [];
  const parts = asked.map((name) => {
    const descending = name.endsWith('_desc');
    const column = orders[descending ? name.slice(0, -5) : name];
    if (!column) throw new Refusal('50', `order_by does not know ${name}.`);
    return `${column} ${descending ? 'DESC' : 'ASC'}`;
  });
  return [...parts, `scans.id ${parts.at(-1)?.endsWith('DESC') ? 'DESC' : 'ASC'}`].join(', ');
}
