/** The section `scans`. */
import { subjects } from '../request/variables.js';
import { existing } from './existing.js';
import type { Section } from './operation.js';
import { retrieveScans } from './scans-read.js';

/** @param offsetCounts see `retrieveScans` */
export function createScans(offsetCounts: 'from-one' | 'from-zero'): Section {
  return {
    retrieve: retrieveScans(offsetCounts),
    delete: ({ account, variables, sql }) =>
      sql.transaction(() => {
        const ids = existing(sql, account, 'scan', variables.someIds('scan_id', subjects.scan));
        for (const id of ids) sql.run('DELETE FROM scans WHERE id = ?', id);
        return [];
      }),
  };
}
