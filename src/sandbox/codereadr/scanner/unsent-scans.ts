/**
 * Scans stored on a device: those to which a URL gave no answer, and those of an on-device service before the upload.
 * They survive a restart, as on a phone.
 */
import type { Sql } from '../store/sqlite.js';
import type { DeviceScan } from './scan.js';

export interface UnsentScan {
  readonly id: number;
  readonly scan: DeviceScan;
  readonly why: 'no_answer' | 'not_uploaded';
  /** Set for a second submit without an answer; `scanId` where the first answer gave one. */
  readonly second?: { readonly scanId?: string | undefined };
}

export interface UnsentScans {
  add(scan: DeviceScan, why: UnsentScan['why'], second?: UnsentScan['second']): void;
  /** The scans stored on a device, in the order in which they were made. */
  storedOn(deviceId: number): UnsentScan[];
  remove(id: number): void;
}

export function createUnsentScans(sql: Sql, accountId: number): UnsentScans {
  return {
    add: (scan, why, second) => {
      sql.run(
        'INSERT INTO kept_scans (account_id, device_id, service_id, scan) VALUES (?, ?, ?, ?)',
        accountId,
        scan.deviceId,
        scan.serviceId,
        JSON.stringify({ scan, why, ...(second ? { second } : {}) }),
      );
    },
    storedOn: (deviceId) =>
      sql
        .all<{ id: number; scan: string }>(
          'SELECT id, scan FROM kept_scans WHERE account_id = ? AND device_id = ? ORDER BY id',
          accountId,
          deviceId,
        )
        .map((row) => ({ id: row.id, ...(JSON.parse(row.scan) as Omit<UnsentScan, 'id'>) })),
    remove: (id) => {
      sql.run('DELETE FROM kept_scans WHERE id = ?', id);
    },
  };
}
