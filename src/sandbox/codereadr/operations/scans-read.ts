/** The answer of `scans/retrieve`: the scans found, with their answers and, on request, their properties. */
import type { Sql } from '../store/sqlite.js';
import { element, elementName, type Xml } from '../xml/write.js';
import type { Handler } from './operation.js';
import { readScanSearch, type ScanSearch } from './scan-search.js';
import { stamp } from './time.js';

interface Row {
  readonly id: number;
  readonly service_id: number;
  readonly service_name: string;
  readonly device_id: number;
  readonly device_name: string;
  readonly user_id: number;
  readonly user_name: string;
  readonly value: string;
  readonly status: number;
  readonly response: string;
  readonly scanned_at: number;
  readonly received_at: number;
  readonly modified_at: number;
}

/** @param offsetCounts `from-one`: offset 5 begins with the 5th scan, as the reference says; `from-zero`: the 6th */
export function retrieveScans(offsetCounts: 'from-one' | 'from-zero'): Handler {
  return ({ account, variables, sql }) => {
    const search = readScanSearch(variables, account, { sql, offsetCounts });
    const rows = sql.all<Row>(search.sql, ...search.bound);
    return [element('count', rows.length), ...rows.map((row) => describe(sql, row, search))];
  };
}

function describe(sql: Sql, row: Row, search: ScanSearch): Xml {
  const answers = sql.all<{ question_id: number; question: string; answer: string }>(
    'SELECT question_id, question, answer FROM scan_answers WHERE scan_id = ? ORDER BY question_id',
    row.id,
  );
  const fields: Xml[] = [
    element('device', row.device_name, { id: row.device_id }),
    element('service', row.service_name, { id: row.service_id }),
    element('user', row.user_name, { id: row.user_id }),
    element('status', row.status),
    element('tid', row.value),
    element('result', row.response),
    element('timestamp', stamp(row.scanned_at, search.zone)),
  ];
  if (search.showReceived) fields.push(element('timestamp_received', stamp(row.received_at, search.zone)));
  if (search.showModified) fields.push(element('timestamp_modified', stamp(row.modified_at, search.zone)));
  for (const { question_id, question, answer } of answers) {
    fields.push(element('answer', answer, { qid: question_id, qtext: question }));
  }
  if (search.showProperties) fields.push(element('properties', propertiesOf(sql, row.id)));
  return element('scan', fields, { id: row.id });
}

function propertiesOf(sql: Sql, scanId: number): Xml[] {
  return sql
    .all<{ name: string; value: string }>(
      'SELECT name, value FROM scan_properties WHERE scan_id = ? ORDER BY rowid',
      scanId,
    )
    .map(({ name, value }) => element(elementName(name), value));
}
