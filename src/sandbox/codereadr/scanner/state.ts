/** What a device offers to choose from: services with sample barcodes and questions, users, devices. */
import type { Account } from '../access.js';
import type { ScannerState } from '../api.js';
import { readServices, type Service } from '../operations/service-row.js';
import type { Sql } from '../store/sqlite.js';
import { hideSecret } from './post.js';
import { optionsOf } from './questions.js';

export function scannerState(sql: Sql, account: Account, apiKey: string): ScannerState {
  return {
    services: readServices(sql, account, 'all').map((service) => ({
      id: String(service.id),
      name: service.name,
      validation_method: service.method,
      postback_url: hideSecret(service.settings.postback_url ?? ''),
      direct: service.settings.enable_direct_scan === '1',
      samples: samplesOf(sql, account, service),
      questions: service.questions.map((question) => ({
        id: String(question.id),
        text: question.text,
        type: question.type,
        options: optionsOf(sql, question.id),
        condition: question.condition,
        required: question.required,
      })),
    })),
    users: namedRows(
      sql,
      'SELECT id, username AS name FROM users WHERE account_id = ? AND deleted_at IS NULL ORDER BY id',
      account,
    ),
    devices: namedRows(sql, 'SELECT id, name FROM devices WHERE account_id = ? ORDER BY id', account),
    api_key: apiKey,
  };
}

function namedRows(sql: Sql, query: string, account: Account): { id: string; name: string }[] {
  return sql.all<{ id: number; name: string }>(query, account.id).map(({ id, name }) => ({ id: String(id), name }));
}

interface Value {
  readonly value: string;
  readonly response: string;
}

/** The sample barcodes of a service: unused ones, one scanned before, one not valid, one with spaces, one unknown. */
function samplesOf(sql: Sql, account: Account, service: Service): ScannerState['services'][number]['samples'] {
  const database =
    service.databaseId ??
    sql.get<{ id: number }>('SELECT id FROM databases WHERE account_id = ? ORDER BY id LIMIT 1', account.id)?.id;
  if (database === undefined) return [{ value: '0012345678905', hint: 'any barcode' }];
  const pick = (condition: string, limit: number): Value[] =>
    sql.all<Value>(
      `SELECT value, response FROM database_values AS found WHERE database_id = ? AND ${condition} ORDER BY id LIMIT ?`,
      database,
      limit,
    );
  // `+` keeps SQLite from the index on services: a service has far more scans than a value.
  const scanned = `EXISTS (SELECT 1 FROM scans WHERE account_id = ${account.id} AND scans.value = found.value
    AND +service_id = ${service.id})`;
  const hinted = (found: readonly Value[], hint: string) =>
    found.map(({ value, response }) => ({ value, hint: `${hint}: ${response}` }));
  return [
    ...hinted(pick(`validity = 1 AND NOT ${scanned}`, 3), 'valid'),
    ...hinted(pick(`validity = 1 AND ${scanned}`, 1), 'scanned before'),
    ...hinted(pick('validity = 0', 1), 'not valid'),
    ...hinted(pick("value LIKE '% %'", 1), 'with spaces'),
    { value: 'NOT-ON-THE-LIST', hint: 'unknown' },
  ];
}
