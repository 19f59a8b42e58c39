/** The account's records of scans from devices: the scan, its answers, its properties, its upload. */
import type { Account } from '../access.js';
import type { Sql } from '../store/sqlite.js';
import type { DeviceScan, Verdict } from './scan.js';

export interface Records {
  /** Stores the scan in one transaction. @returns the record's id */
  add(scan: DeviceScan, verdict: Verdict, receivedAt: number, uploadId?: number): number;
  setVerdict(scanId: number, verdict: Verdict, at: number): void;
  addAnswers(scanId: number, answers: Readonly<Record<string, string>>, at: number): void;
  addUpload(scan: DeviceScan, at: number): number;
  /** Whether a service has a record of the value. */
  hasRecord(serviceId: number, value: string): boolean;
}

export function createRecords(sql: Sql, account: () => Account): Records {
  const saveAnswers = (scanId: number, answers: Readonly<Record<string, string>>) => {
    for (const [id, answer] of Object.entries(answers)) {
      const question = sql.get<{ text: string }>('SELECT text FROM questions WHERE id = ?', Number(id));
      sql.run(
        'INSERT OR REPLACE INTO scan_answers (scan_id, question_id, question, answer) VALUES (?, ?, ?, ?)',
        scanId,
        Number(id),
        question?.text ?? '',
        answer,
      );
    }
  };

  return {
    add: (scan, verdict, receivedAt, uploadId) =>
      sql.transaction(() => {
        const { id } = sql.run(
          `INSERT INTO scans (account_id, service_id, device_id, user_id, upload_id, value, status, response,
             scanned_at, received_at, modified_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          account().id,
          scan.serviceId,
          scan.deviceId,
          scan.userId,
          uploadId ?? null,
          scan.value,
          verdict.status,
          verdict.text,
          scan.scannedAt,
          receivedAt,
          receivedAt,
        );
        saveAnswers(id, scan.answers);
        for (const [name, value] of Object.entries(scan.properties)) {
          sql.run('INSERT INTO scan_properties (scan_id, name, value) VALUES (?, ?, ?)', id, name, value);
        }
        return id;
      }),
    setVerdict: (scanId, verdict, at) => {
      sql.run(
        'UPDATE scans SET status = ?, response = ?, modified_at = ? WHERE id = ?',
        verdict.status,
        verdict.text,
        at,
        scanId,
      );
    },
    addAnswers: (scanId, answers, at) =>
      sql.transaction(() => {
        saveAnswers(scanId, answers);
        sql.run('UPDATE scans SET modified_at = ? WHERE id = ?', at, scanId);
      }),
    addUpload: (scan, at) =>
      sql.run(
        'INSERT INTO uploads (account_id, service_id, device_id, user_id, status, at) VALUES (?, ?, ?, ?, 1, ?)',
        account().id,
        scan.serviceId,
        scan.deviceId,
        scan.userId,
        at,
      ).id,
    hasRecord: (serviceId, value) =>
      sql.get('SELECT 1 FROM scans WHERE service_id = ? AND value = ? LIMIT 1', serviceId, value) !== undefined,
  };
}
