/**
 * Validation of a scan by the account, or by a device with a local database: database, duplicates, period. It also
 * applies the service's regular expressions, which run in linear time.
 */
import { RE2JS } from 're2js';
import { type DatabaseRow, keyOf } from '../operations/database-row.js';
import { periodOf } from '../operations/service-period.js';
import type { Service } from '../operations/service-row.js';
import type { Sql } from '../store/sqlite.js';
import type { Verdict } from './scan.js';

/** @param wasSeen whether this service has scanned the value before, as far as the account or the device knows */
export function validate(sql: Sql, service: Service, value: string, wasSeen: boolean): Verdict {
  if (service.databaseId === undefined) return { status: 1, text: 'Saved' };
  const database = sql.get<DatabaseRow>('SELECT * FROM databases WHERE id = ?', service.databaseId);
  const databaseRow =
    database &&
    sql.get<{ response: string; validity: number }>(
      'SELECT response, validity FROM database_values WHERE database_id = ? AND folded = ?',
      database.id,
      keyOf(database, value),
    );
  if (!databaseRow) return { status: 0, text: 'Not found' };
  if (databaseRow.validity === 1 && wasSeen && service.settings.duplicate_value === '0') {
    return { status: 0, text: 'Already scanned' };
  }
  return { status: databaseRow.validity === 1 ? 1 : 0, text: withPattern(service, 'response', databaseRow.response) };
}

/** Applies the service's pattern for scans or responses, where it has one. An invalid pattern changes nothing. */
export function withPattern(service: Service, expressionOf: 'scan' | 'response', text: string): string {
  const pattern = service.settings[`regex_${expressionOf}_pattern`];
  if (!pattern) return text;
  try {
    return RE2JS.compile(pattern)
      .matcher(text)
      .replaceAll(service.settings[`regex_${expressionOf}_replacement`] ?? '');
  } catch {
    return text;
  }
}

/** Whether the service accepts scans at this time, in the account's zone. */
export function isActive(service: Service, now: number, zone: string): boolean {
  const { start, end } = periodOf(service.settings, zone);
  return (start === undefined || now >= start) && (end === undefined || now <= end);
}
